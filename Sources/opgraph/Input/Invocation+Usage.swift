extension Invocation {
  /// Fits into 80 columns.
  static let usage = """
    usage: opgraph [OPTION]... [FILE [ID]...]

    Runs the shell commands of a graph: each one as soon as those that it comes
    after have succeeded. FILE is JSON; "-" is standard input; without one it is
    opgraph.json of the current folder. With IDs only these operations are run,
    and what they need.

    running
      -j, --jobs N            at most N commands at a time (the number of cores)
      -k N, --keep-going[=N]  stop after N failures (1); 0, or --keep-going alone:
                              run all that can be run
          --resume            leave out what succeeded in runs before
          --grace SECONDS     SIGTERM to SIGKILL after a signal or time-out (10)

    showing, without running anything
      -n, --dry-run           what would be run, in an order in which it could be
          --list              the operations and their commands
          --graph FORMAT      the graph for Graphviz (dot) or Mermaid (mermaid)

    output
          --output MODE       grouped: when a command has ended (the default);
                              live: as it comes; prefixed: lines after their id
      -q, --quiet             failures and the summary only
      -v, --verbose           a line for each end also on a terminal
          --color WHEN        auto (the default), always or never
          --json              one JSON object a line for each event
          --junit FILE        the results for a CI server
          --trace FILE        a trace for https://ui.perfetto.dev
          --report FILE       a page with timeline, graph and table
      -h, --help              this text
          --version           the version

    the graph (comments are allowed)
      {"operations": [
         {"id": "configure", "run": "./configure"},
         {"id": "compile", "run": "make", "after": "configure", "timeout": 600},
         {"id": "upload", "run": "./upload", "after": ["compile"],
          "retries": {"attempts": 4, "delay": 0.5, "factor": 2}, "pools": "net"}],
       "pools": {"net": 1}}

      id, run         required: a name of its own, and what /bin/sh runs
      after           the id, or a list of ids, of those that must succeed first
      priority        veryLow, low, normal, high, veryHigh: who goes first
      directory       where it runs; relative to the file's folder, the default
      timeout         seconds that an attempt may take
      retries         a number of further attempts, or an object with all attempts
                      and, as above, the delays between them, up to maximumDelay
      env             an object of variables; null removes one
      pools           a name or a list of names: a place in each while it runs
      allowFailure    true: those after it run although it has failed
      inputs, outputs lists of files: not run where the outputs are up to date,
                      unless the graph comes from standard input or a pipe
      launcher        a list of words that stand before /bin/sh -c COMMAND

    At the top also "defaults", an object of such keys for all operations;
    "pools", by name a number of places or {"depth": 2, "launcher": ["srun"]};
    "launcher"; and "$schema". A launcher is the operation's own, else that of
    its first pool that has one, else that of the defaults, else the top's.

    Ctrl-C ends the running commands and waits for them; once more kills them.
    SIGUSR1 (kill -USR1) has it say which operations wait, and for what.

    exit status: 0 all done; 1 an operation failed, or a report could not be
    written; 2 bad input, nothing was run. After a signal N it ends by that, as
    if it had not caught it, so that shells show 128 + N, where that leaves no core.

    """
}
