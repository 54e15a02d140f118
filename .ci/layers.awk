# The rules of `layer-check`, for a POSIX awk: reads every Swift file once, then judges.

BEGIN {
  # The folders of the library, lowest first. A file names only types of its own folder and of lower ones.
  layerCount = split("Collections Locking Limits API Time Observation ThreadPool Bodies Operation Dependencies Queue Explanation Conveniences", layers, " ")
  for (i = 1; i <= layerCount; i++) rank[layers[i]] = i
  longestFile = 400

  count = split(folders, folder, "\n")
  for (i = 1; i <= count; i++) {
    name = substr(folder[i], length(core) + 2)
    if (!(name in rank) && name != "Documentation.docc") {
      report(folder[i] ": is none of the layers")
    }
  }
}

FNR == 1 {
  fileCount++
  paths[fileCount] = FILENAME
  commentDepth = 0
  top = 0
  inString[0] = 0
  parentheses[0] = 0
  braces = 0
  layer = layerOf(FILENAME)
}

{
  lines[fileCount] = FNR
  stripped = strip($0)
  if (isCore(FILENAME) || isMachine(FILENAME) || FILENAME ~ /^Tests\//) {
    code[fileCount, FNR] = stripped
    if ($0 ~ /(^|[^A-Za-z0-9_])(TODO|FIXME|XXX)([^A-Za-z0-9_]|$)/) report(FILENAME ":" FNR ": is left for later")
  }
  if (isCore(FILENAME)) declare(stripped)
}

END {
  for (f = 1; f <= fileCount; f++) {
    path = paths[f]
    if (lines[f] > longestFile) report(path ":" lines[f] ": is longer than " longestFile " lines")
    if (!isCore(path) && !isMachine(path) && path !~ /^Tests\//) continue
    layer = layerOf(path)
    if (isCore(path) && !(layer in rank)) report(path ":1: lies in none of the layers")
    for (n = 1; n <= lines[f]; n++) {
      text = code[f, n]
      if (text == "") continue
      checkAnywhere(path ":" n, text)
      if (!isCore(path)) {
        if (isMachine(path)) checkPurity(path ":" n, text)
        continue
      }
      checkCore(path ":" n, text)
      if (layer in rank) checkNames(path ":" n, text)
    }
  }
  exit found
}

# Tests and the library: nothing is switched off, and nothing waits for time to pass.
function checkAnywhere(place, text) {
  if (text ~ /\.disabled\(/) report(place ": a test is switched off")
  if (text ~ /(^|[^A-Za-z0-9_])withKnownIssue([^A-Za-z0-9_]|$)/) report(place ": a known issue is let through")
  if (text ~ /(^|[^A-Za-z0-9_])((Task|Thread)(<[^>]*>)?\.sleep|usleep)([^A-Za-z0-9_]|$)/) report(place ": sleeps")
}

function checkCore(place, text,    module, escape) {
  if (text ~ /(^|[ \t])import[ \t]/) {
    # The longest form is `public import struct Module.Type`.
    module = text
    sub(/.*import[ \t]+/, "", module)
    sub(/^(struct|class|enum|protocol|typealias|func|var|let)[ \t]+/, "", module)
    sub(/[^A-Za-z0-9_].*/, "", module)
    if (module !~ /^(Synchronization|Darwin|Glibc|Musl|Android|WinSDK|WASILibc)$/) {
      report(place ": imports " module ", but the library stands on Synchronization and the platform's C library alone")
    }
  }
  if (layer != "ThreadPool" && layer != "Locking" && layer != "Bodies") {
    escape = ""
    if (text ~ /@unchecked[ \t]+Sendable/) escape = "@unchecked Sendable"
    else if (text ~ /nonisolated\(unsafe\)/) escape = "nonisolated(unsafe)"
    else if (text ~ /(^|[^A-Za-z0-9_])Unmanaged([^A-Za-z0-9_]|$)/) escape = "Unmanaged"
    else if (text ~ /(^|[^A-Za-z0-9_])unsafeBitCast([^A-Za-z0-9_]|$)/) escape = "unsafeBitCast"
    if (escape != "") report(place ": " escape " outside Locking/, ThreadPool/ and Bodies/")
  }
}

# Walks over the identifiers. One behind a dot is a member, unless the dot follows the module's name.
function checkNames(place, text,    rest, word, before, home) {
  rest = text
  before = ""
  while (match(rest, /[A-Za-z_][A-Za-z0-9_]*/)) {
    word = substr(rest, RSTART, RLENGTH)
    before = before substr(rest, 1, RSTART - 1)
    if (before !~ /\.[ \t]*$/ || before ~ /(^|[^A-Za-z0-9_.])StructuredOperations\.$/) {
      if ((word in homes) && !((path, word) in declaredHere)) {
        home = homes[word]
        if (rank[home] > rank[layer]) report(place ": " layer "/ names " word ", which lives in " home "/")
      }
      if (isPure() && isConcurrent(word) && !(word == "async" && (isRequirement(text) || text ~ /async( throws)? ->/))) {
        report(place ": is plain values or a pure machine, but says " word)
      }
    }
    before = before word
    rest = substr(rest, RSTART + RLENGTH)
  }
}

# Plain values and collections wait for nothing, and neither do machines, wherever they are: their names tell.
function isPure() {
  return rank[layer] <= rank["Collections"] || isMachine(path)
}

function isMachine(path) {
  return path ~ /^Sources\/.*(StateMachine|Scheduler)[^\/]*\.swift$/
}

# A machine of another library: its names are not known here.
function checkPurity(place, text,    word) {
  while (match(text, /[A-Za-z_][A-Za-z0-9_]*/)) {
    word = substr(text, RSTART, RLENGTH)
    if (isConcurrent(word)) report(place ": is a pure machine, but says " word)
    text = substr(text, RSTART + RLENGTH)
  }
}

function isConcurrent(word) {
  return word ~ /^(await|async|Task|with(Checked|Unsafe)(Throwing)?Continuation)$/
}

# A protocol of the API may ask for something asynchronous; it has no body that could wait.
function isRequirement(text) {
  return layer == "API" && (text ~ /(^|[ \t])func[ \t][^{]*$/ || text ~ /^[ \t]*\) async[^{]*$/ || text ~ /\{ get async( throws)? \}/)
}

# Remembers the types declared in a line, those of file scope for everybody. Of a name declared in several layers the
# lowest counts; a private one concerns its own file alone.
function declare(text,    rest, word) {
  rest = text
  while (match(rest, /(^|[ \t])(struct|class|actor|enum|protocol|typealias|associatedtype)[ \t]+[A-Za-z_][A-Za-z0-9_]*/)) {
    word = substr(rest, RSTART, RLENGTH)
    sub(/.*[ \t]/, "", word)
    declaredHere[FILENAME, word] = 1
    if (braces == 0 && (layer in rank) && rest !~ /(^|[ \t])(private|fileprivate)[ \t]/) {
      if (!(word in homes) || rank[layer] < rank[homes[word]]) homes[word] = layer
    }
    rest = substr(rest, RSTART + RLENGTH)
  }
  rest = text
  braces += gsub(/\{/, "", rest)
  braces -= gsub(/\}/, "", rest)
}

function isCore(path) { return index(path, core "/") == 1 }

# The folder right below the library's, or nothing.
function layerOf(path) {
  path = substr(path, length(core) + 2)
  return path ~ /\// ? substr(path, 1, index(path, "/") - 1) : ""
}

function report(message) {
  print message
  found = 1
}

# A line without its comments and without the text of its string literals. What is interpolated into them stays. Comments
# and literals of several lines, and literals within interpolations, are why there is a stack: even elements of it are code,
# odd ones literals.
function strip(line,    out, i, c, rest, end, escape) {
  out = ""
  for (i = 1; i <= length(line); i++) {
    c = substr(line, i, 1)
    if (commentDepth > 0) {
      if (substr(line, i, 2) == "/*") { commentDepth++; i++ }
      else if (substr(line, i, 2) == "*/") { commentDepth--; i++ }
    } else if (inString[top]) {
      end = (isMultiline[top] ? "\"\"\"" : "\"") hashes[top]
      escape = "\\" hashes[top]
      if (substr(line, i, length(end)) == end) {
        i += length(end) - 1
        out = out "\""
        top--
      } else if (substr(line, i, length(escape)) == escape) {
        i += length(escape)
        if (substr(line, i, 1) == "(") {
          top++
          inString[top] = 0
          parentheses[top] = 0
          out = out " ("
        }
      }
    } else if (c == "/" && substr(line, i, 2) == "//") {
      break
    } else if (c == "/" && substr(line, i, 2) == "/*") {
      commentDepth = 1
      i++
      out = out " "
    } else if ((c == "\"" || c == "#") && match(rest = substr(line, i), /^#*"/)) {
      top++
      inString[top] = 1
      hashes[top] = substr(rest, 1, RLENGTH - 1)
      isMultiline[top] = substr(rest, RLENGTH, 3) == "\"\"\""
      i += RLENGTH - 1 + (isMultiline[top] ? 2 : 0)
      out = out "\""
    } else {
      if (c == "(") parentheses[top]++
      if (c == ")" && top > 0 && parentheses[top]-- == 0) top--
      out = out c
    }
  }
  # A literal of one line ends with it, whatever is written.
  while (top > 0 && (inString[top] ? !isMultiline[top] : !isMultiline[top - 1])) top--
  return out
}
