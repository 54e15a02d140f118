# The rules of `conformance`, for a POSIX awk: reads the two lists, the table of differences and every test, then judges.

FNR == 1 {
  commentDepth = 0
  name = ""
  isOpen = 0
}

FILENAME ~ /conformance-rows\.txt$/ {
  if ($0 ~ /^[ \t]*(#|$)/) next
  if ($1 !~ /^[A-Z][A-Z]-[0-9][0-9]$/ || NF < 2) { report(FILENAME ":" FNR ": expected an id and what it is about"); next }
  list($1, "rows")
  next
}

FILENAME ~ /conformance-suites\.txt$/ {
  if ($0 ~ /^[ \t]*(#|$)/) next
  if (NF != 2) { report(FILENAME ":" FNR ": expected a suite and a test of it"); next }
  list($2, "tests of " $1)
  next
}

# A line of the table: what it is about, what Foundation does, what is done here.
FILENAME ~ /\.md$/ {
  if ($0 !~ /^\|/) next
  count = split($0, cell, "|")
  remember(cell[2], differs, FILENAME ":" FNR)
  if (idCount > 0 && (count != 5 || cell[3] ~ /^[ \t]*$/ || cell[4] ~ /^[ \t]*$/)) {
    report(FILENAME ":" FNR ": expected what Foundation does, and what is done here")
  }
  next
}

{ read($0) }

END {
  for (i = 1; i <= listed; i++) {
    id = ids[i]
    kind = kinds[id]
    total[kind]++
    if (id in tested) byTest[kind]++
    if (id in differs) byTable[kind]++
    if ((id in tested) || (id in differs)) accounted[kind]++
    else report(kind ": " id " is in no test's name, and not in the table of differences")
  }
  close("cat 1>&2")
  for (i = 1; i <= kindCount; i++) {
    kind = kindNames[i]
    printf "%d of %d %s accounted for (tests: %d, table of differences: %d)\n", accounted[kind], total[kind], kind, \
      byTest[kind], byTable[kind]
  }
  exit found
}

function list(id, kind) {
  if (id in kinds) { report(FILENAME ":" FNR ": " id " stands in the lists twice"); return }
  if (!(kind in total)) { total[kind] = 0; kindNames[++kindCount] = kind }
  kinds[id] = kind
  ids[++listed] = id
}

# Collects what stands between `@Test(` and the end of the first literal after it, which may be on a later line.
function read(line,    i, c) {
  for (i = 1; i <= length(line); i++) {
    c = substr(line, i, 1)
    if (commentDepth > 0) {
      if (substr(line, i, 2) == "*/") { commentDepth--; i++ }
    } else if (isOpen == 2) {
      if (c == "\\") { name = name substr(line, i, 2); i++ }
      else if (c != "\"") name = name c
      else {
        remember(name, tested, FILENAME ":" FNR)
        isOpen = 0
      }
    } else if (substr(line, i, 2) == "//") {
      return
    } else if (substr(line, i, 2) == "/*") {
      commentDepth++
      i++
    } else if (isOpen == 1) {
      if (c == "\"") { isOpen = 2; name = "" }
      # A test without a name has other arguments at once.
      else if (c !~ /[ \t]/) isOpen = 0
    } else if (substr(line, i, 6) == "@Test(") {
      isOpen = 1
      i += 5
    }
  }
}

# Remembers every id in a text; one that the lists do not have is a mistake.
function remember(text, place, where,    rest, before, after, id) {
  idCount = 0
  rest = text
  before = " "
  while (match(rest, /[A-Z][A-Z]-[0-9][0-9]|test_[A-Za-z0-9_]+|[A-Za-z_]+(\/[A-Za-z_]+)*\.m:[0-9]+/)) {
    id = substr(rest, RSTART, RLENGTH)
    if (RSTART > 1) before = substr(rest, RSTART - 1, 1)
    after = substr(rest, RSTART + RLENGTH, 1)
    rest = substr(rest, RSTART + RLENGTH)
    if (before ~ /[A-Za-z0-9]/ || after ~ /[A-Za-z0-9]/) continue
    idCount++
    if (!(id in kinds)) report(where ": " id " is in none of the lists")
    place[id] = where
    before = substr(id, length(id), 1)
  }
}

function report(message) {
  print message | "cat 1>&2"
  found = 1
}
