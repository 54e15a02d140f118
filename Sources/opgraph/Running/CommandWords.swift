/// The words with which a shell command is started.
enum CommandWords {
  /// The words of the launcher, and those of the shell.
  ///
  /// `ssh` joins all that follows the host with blanks, and has a shell on the other machine read it: without another
  /// pair of quotes, `ssh host /bin/sh -c 'make all'` runs `make` there, with `all` as its name.
  static func words(of command: String, launcher: [String]) -> [String] {
    let joinsWords = launcher.first?.nameInFolder == "ssh"
    return launcher + ["/bin/sh", "-c", "--", joinsWords ? command.shellQuoted : command]
  }
}
