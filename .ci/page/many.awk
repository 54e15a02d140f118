# Makes a history of 3 033 operations: 3 000 of a millisecond, one after the other in a slot, of which one has failed; two of no
# length, at the beginning and at the end, of which one has a name of three lines; one that adds another, which it waits for, and
# on which a third one depends; and 28 in slots of their own.
function time(milliseconds) { return milliseconds == 0 ? "[0,0]" : "[0," milliseconds "000000000000000]" }
function span(kind, from, to, rest) {
  return "{\"kind\":\"" kind "\",\"start\":" time(from) ",\"end\":" time(to) rest "}"
}
function operation(name, queue, outcome, added, dependencies, rest, spans, finished) {
  id += 1
  printf "%s{\"id\":%d,\"name\":\"%s\",\"queue\":\"queue %d\",\"queueNumber\":%d,", (id == 1 ? "" : ",\n"), id, name, queue, queue
  printf "\"queuePriority\":0,\"outcome\":{\"%s\":%s},\"isCancelled\":false,", outcome,
    (outcome == "failed" ? "{\"_0\":\"no\"}" : "{}")
  printf "\"dependencies\":[%s],\"addedAt\":%s%s,\"spans\":[%s],", dependencies, time(added), rest, spans
  printf "\"finishedAt\":%s}", time(finished)
}
BEGIN {
  print "{\"operations\":["
  operation("one\\ntwo\\nthree", 1, "succeeded", 0, "", "", span("executing", 0, 0, ",\"slot\":2"), 0)
  for (i = 1; i <= 3000; i++) {
    operation("t " i, 1, i == 1776 ? "failed" : "succeeded", i - 1, "", "", span("executing", i - 1, i, ",\"slot\":1"), i)
  }
  stages = span("ready", 0, 3400) "," span("executing", 3400, 3400, ",\"slot\":2")
  operation("last", 1, "succeeded", 0, "", "", stages, 3400)
  stages = span("executing", 0, 100, ",\"slot\":1") "," span("waiting", 100, 200, ",\"cause\":3004")
  stages = stages "," span("executing", 200, 300, ",\"slot\":1")
  operation("caf\303\251", 2, "succeeded", 0, "", "", stages, 300)
  operation("child", 2, "succeeded", 100, "", ",\"parent\":3003", span("executing", 100, 200, ",\"slot\":2"), 200)
  stages = span("blocked", 0, 300, ",\"cause\":3003") "," span("executing", 300, 3400, ",\"slot\":1")
  operation("after", 2, "succeeded", 0, "3003", "", stages, 3400)
  for (i = 3; i <= 30; i++) {
    # The largest that the page reads as a number: one row, as any other.
    slot = i < 30 ? i : 4294967294
    operation("in slot " i, 1, "succeeded", 0, "", "", span("executing", 0, 1, ",\"slot\":" slot), 1)
  }
  print "],\"time\":" time(3400) ",\"forgottenCount\":0}"
}
