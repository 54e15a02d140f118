# Takes the Swift code out of one page, or out of the documentation comments of one library, and writes it as files that can
# be compiled:
#
#   awk -v out=<folder> -v header=<imports, separated by blanks> [-v table=<contexts>] -f extract.awk <page, or sources…>
#
#   page.swift      all blocks but those below: declarations as they are, statements in a function of their own
#   main-N.swift    a block that is a main file, with the number N of the block
#   manifest-N.swift
#   run.swift       a main file that runs one of the functions, chosen by its number
#   run             the numbers of the blocks that are to be run, and where they stand
#   expected-N      what the block prints, a line each; `…` stands for anything
#
# What a block is, is told by a comment on the line before it: see `check`. Documentation comments have no room for one;
# theirs are in the table. Prints how many blocks there are. Findings go to standard error.

function report(text) {
  print FILENAME ":" FNR ": " text > "/dev/stderr"
  bad = 1
}

function trimmed(text) {
  sub(/^[ \t]+/, "", text)
  sub(/[ \t]+$/, "", text)
  return text
}

# Begins a block of the given kind, whose first line has the given number, or goes on with the block before.
function begin(words, first,    count, word, i) {
  kind = "function"
  runs = 0
  if (words ~ /^none: ./) {
    kind = "none"
    without++
    return
  }
  count = split(words, word, " ")
  for (i = 1; i <= count; i++) {
    if (word[i] == "run") runs = 1
    else if (word[i] ~ /^(main|file|synchronous|manifest|continue)$/) kind = word[i]
    else report("no kind of code: " word[i])
  }
  if (kind == "continue") {
    if (!blocks || runs) report("a block that continues needs one before it, which says whether it runs")
    kind = kinds[blocks]
  } else {
    blocks++
    kinds[blocks] = kind
    if (runs) {
      if (kind ~ /file|manifest/) report("only statements can be run")
      running[blocks] = FILENAME ":" first
    }
  }
  text[blocks] = text[blocks] "#sourceLocation(file: \"" FILENAME "\", line: " first ")\n"
}

# Longer lines would be cut off in the columns of a small window. `README.md` has no such columns.
function check_width(line,    characters) {
  characters = line
  gsub(/[\200-\277]/, "", characters)
  if (FILENAME != "README.md" && length(characters) > 67) report("code of more than 67 columns")
}

function add(line) {
  if (kind == "none") return
  # What is printed: the rest of the line, and comments after it that are indented further.
  if (match(line, /\/\/ prints /)) {
    expected[blocks] = expected[blocks] (expected[blocks] == "" ? "" : "\n") substr(line, RSTART + RLENGTH)
    prints = 1
  } else if (prints && line ~ /^[ \t]*\/\/   /) {
    sub(/^[ \t]*\/\/ */, "", line)
    expected[blocks] = expected[blocks] " " line
    line = ""
  } else {
    prints = 0
  }
  # Functions cannot import; main files can, and are then taken as they are.
  if (line ~ /^(@[A-Za-z]+ )?import /) {
    if (kind == "main") imports[blocks] = 1
    else if (kind != "file" && kind != "manifest") {
      hoisted = hoisted line "\n"
      line = ""
    }
  }
  text[blocks] = text[blocks] line "\n"
}

BEGIN {
  count = split(header, module, " ")
  for (i = 1; i <= count; i++) {
    if (module[i] == "FoundationNetworking") {
      importing = importing "#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n"
    } else {
      importing = importing "import " module[i] "\n"
    }
  }
  while (table != "" && (getline line < table) > 0) {
    if (line ~ /^(#|[ \t]*$)/) continue
    split(line, field, /[ \t]*\|[ \t]*/)
    key = field[2] "|" trimmed(substr(line, index(line, field[3])))
    contexts[key] = field[1]
  }
}

FNR == 1 && inside { report("the block before the end of the file before does not end") }

{
  line = $0
  if (table != "") {
    if (!sub(/^[ \t]*\/\/\/ ?/, "", line)) {
      if (inside) report("the block does not end")
      inside = 0
      next
    }
  }
}

!inside && match(line, /^[ \t]*```+/) {
  fence = trimmed(substr(line, 1, RLENGTH))
  language = trimmed(substr(line, RSTART + RLENGTH))
  match(line, /^[ \t]*/)
  indentation = RLENGTH
  inside = language ~ /^swift([, ]|$)/ ? "code" : "other"
  if (inside == "code") {
    found++
    # The table knows the block by its first line.
    if (table == "") begin(directive, FNR + 1)
    pending = table != ""
  } else if (directive != "") {
    report("no Swift block follows the comment before this line")
  }
  directive = ""
  next
}

inside && trimmed(line) == fence {
  inside = ""
  prints = 0
  next
}

inside == "code" {
  blank = substr(line, 1, indentation)
  if (blank ~ /^[ \t]*$/) line = substr(line, indentation + 1)
  check_width(line)
  if (pending) {
    pending = 0
    key = FILENAME "|" trimmed(line)
    used[key] = 1
    begin(contexts[key], FNR)
  }
  add(line)
  next
}

inside { next }

directive != "" { report("no Swift block follows the comment before this line") }

{
  directive = ""
  if (line ~ /^[ \t]*<!-- swift: .* -->[ \t]*$/) {
    directive = trimmed(line)
    sub(/^<!-- swift: */, "", directive)
    sub(/ *-->$/, "", directive)
  }
}

END {
  if (inside) report("the last block does not end")
  page = out "/page.swift"
  for (i = 1; i <= blocks; i++) {
    if (kinds[i] == "main") {
      file = out "/main-" i ".swift"
      printf "%s%s", imports[i] ? "" : importing hoisted, text[i] > file
      close(file)
    } else if (kinds[i] == "manifest") {
      file = out "/manifest-" i ".swift"
      printf "%s", text[i] > file
      close(file)
    } else {
      if (!begun++) printf "%s%s", importing, hoisted > page
      if (kinds[i] == "file") {
        printf "%s#sourceLocation()\n", text[i] > page
      } else {
        printf "func block_%d()%s throws {\n%s#sourceLocation()\n}\n", i, kinds[i] == "function" ? " async" : "",
          text[i] > page
      }
    }
    if (i in running) {
      print i, running[i] > (out "/run")
      if (kinds[i] != "main") {
        calls = calls "case \"" i "\": try " (kinds[i] == "function" ? "await " : "") "block_" i "()\n"
      }
      printf "%s\n", expected[i] > (out "/expected-" i)
      if (expected[i] == "") {
        print running[i] ": what it prints is not told by comments: // prints …" > "/dev/stderr"
        bad = 1
      }
    } else if (expected[i] != "") {
      print FILENAME ": says what it prints, and is not run: " expected[i] > "/dev/stderr"
      bad = 1
    }
  }
  if (calls != "") printf "switch CommandLine.arguments[1] {\n%sdefault: break\n}\n", calls > (out "/run.swift")
  for (key in contexts) {
    split(key, field, "|")
    if (index(" " sources " ", " " field[1] " ") && !(key in used)) {
      print table ": no such block: " key > "/dev/stderr"
      bad = 1
    }
  }
  print found + 0, without + 0
  if (bad) exit 1
}
