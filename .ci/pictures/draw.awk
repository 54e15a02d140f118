# Draws a picture as SVG:
#
#   awk -v palette=light|dark -f draw.awk <picture>
#
# A picture has a command on each line; lengths are in pixels, and ` / ` begins a new line of a text:
#
#   size WIDTH HEIGHT
#   title WORDS                              what a screen reader says
#   text X Y ALIGNMENT KIND WORDS            start, middle or end; kind: plain, faint, strong or code
#   box X Y WIDTH HEIGHT KIND WORDS          a first line in code or strong is written with the prefix ` or *
#   bar X Y WIDTH KIND WORDS                 a box of 28 pixels
#   line KIND X Y X Y…                       plain, dashed
#   arrow KIND X Y X Y…                      the same, with a head at its end
#   curve KIND X Y X Y X Y                   from, by way of, to; with a head at its end
#
# The kinds of boxes are the names of the colours in `colours`.

function report(text) {
  print FILENAME ":" FNR ": " text > "/dev/stderr"
  bad = 1
}

function colours(dark) {
  ink = dark ? "#f5f5f7" : "#1d1d1f"
  faint = dark ? "#a1a1a6" : "#6e6e73"
  if (dark) {
    fill["plain"] = "#2c2c2e"; edge["plain"] = "#8e8e93"
    fill["runs"] = "#0b3a66"; edge["runs"] = "#4a9eff"
    fill["waits"] = "#4a3a00"; edge["waits"] = "#e0b000"
    fill["done"] = "#0d3b1c"; edge["done"] = "#3fc765"
    fill["alone"] = "#52181b"; edge["alone"] = "#ff7b7b"
  } else {
    fill["plain"] = "#f2f2f4"; edge["plain"] = "#86868b"
    fill["runs"] = "#dcebff"; edge["runs"] = "#0a66c8"
    fill["waits"] = "#fff2cc"; edge["waits"] = "#a67c00"
    fill["done"] = "#def5e3"; edge["done"] = "#248a3d"
    fill["alone"] = "#ffe3e3"; edge["alone"] = "#c02626"
  }
  fill["empty"] = "none"
  edge["empty"] = faint
}

# The fields from the given one on.
function rest(from,    words, i) {
  words = ""
  for (i = from; i <= NF; i++) words = words (i > from ? " " : "") $i
  return words
}

function escaped(words) {
  gsub(/&/, "\\&amp;", words)
  gsub(/</, "\\&lt;", words)
  gsub(/>/, "\\&gt;", words)
  return words
}

function write(x, y, anchor, kind, words,    prefix) {
  if (words ~ /^[`*]/) {
    kind = substr(words, 1, 1) == "`" ? "code" : "strong"
    words = substr(words, 2)
  }
  printf "<text x=\"%s\" y=\"%s\"%s%s>%s</text>\n", x, y, anchor == "start" ? "" : " text-anchor=\"" anchor "\"",
    kind == "plain" ? "" : " class=\"" kind "\"", escaped(words)
}

# Several lines around a middle.
function write_lines(x, y, anchor, kind, words,    line, count, i) {
  count = split(words, line, / \/ /)
  for (i = 1; i <= count; i++) write(x, y + 5 + 18 * (i - (count + 1) / 2), anchor, kind, line[i])
}

function box(x, y, width, height, kind, words) {
  if (!(kind in fill)) report("no colour: " kind)
  printf "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"6\" fill=\"%s\" stroke=\"%s\"%s/>\n",
    x, y, width, height, fill[kind], edge[kind], kind == "empty" ? " stroke-dasharray=\"4 4\"" : ""
  if (words != "") write_lines(x + width / 2, y + height / 2, "middle", kind == "empty" ? "faint" : "plain", words)
}

function path(kind, d, head) {
  printf "<path d=\"%s\"%s%s/>\n", d, kind == "dashed" ? " stroke-dasharray=\"5 4\"" : "",
    head ? " marker-end=\"url(#head)\"" : ""
}

BEGIN { colours(palette == "dark") }

/^(#|$)/ { next }

$1 == "size" {
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">\n", $2, $3, $2, $3
  next
}

$1 == "title" {
  printf "<title>%s</title>\n", escaped(rest(2))
  printf "<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" "
  printf "orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\" style=\"fill:%s;stroke:none\"/></marker></defs>\n", ink
  print "<style>"
  printf "text{font:14px -apple-system,BlinkMacSystemFont,\"Segoe UI\",\"Helvetica Neue\",Arial,sans-serif;fill:%s}\n", ink
  printf ".faint{fill:%s;font-size:13px}\n.strong{font-weight:600}\n", faint
  print ".code{font-family:SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;font-size:13px}"
  printf "path{fill:none;stroke:%s;stroke-width:1.4}\n", ink
  print "rect{stroke-width:1.4}"
  print "</style>"
  next
}

$1 == "text" { write_lines($2, $3, $4, $5, rest(6)); next }
$1 == "box" { box($2, $3, $4, $5, $6, rest(7)); next }
$1 == "bar" { box($2, $3, $4, 28, $5, rest(6)); next }
$1 == "curve" { path($2, "M" $3 " " $4 "Q" $5 " " $6 " " $7 " " $8, 1); next }

$1 == "line" || $1 == "arrow" {
  d = ""
  for (i = 3; i < NF; i += 2) d = d (i == 3 ? "M" : "L") $i " " $(i + 1)
  path($2, d, $1 == "arrow")
  next
}

{ report("no command: " $1) }

END {
  print "</svg>"
  if (bad) exit 1
}
