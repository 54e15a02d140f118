import StructuredOperations

/// The built-in graph: hashes, counts, packs and verifies the files below the current directory.
///
/// It uses only POSIX tools and accepts all file names: `find` passes them as arguments, not as lines of text, because
/// a name may contain line breaks.
struct SourceTree {
  /// The absolute path of the directory for intermediate files.
  let scratch: String

  var graph: Graph {
    Graph(nodes: [
      Graph.Node(id: "hash", run: hash),
      Graph.Node(id: "count", run: count),
      // The critical path begins here.
      Graph.Node(id: "pack", run: pack, priority: .high),
      Graph.Node(id: "unpack", run: unpack, after: ["pack"], priority: .high),
      Graph.Node(id: "verify", run: verify, after: ["hash", "unpack"]),
      Graph.Node(id: "summary", run: summary, after: ["count", "verify"]),
    ])
  }

  private var hash: String {
    """
    \(eachFile) -exec cksum {} + >\(path("unsorted")) &&
    LC_ALL=C sort \(path("unsorted")) >\(path("hashes")) &&
    cksum <\(path("hashes")) | cut -d ' ' -f 1 >\(path("hash"))
    """
  }

  /// Counts files by one dot each, because a name may contain line breaks.
  private var count: String {
    """
    \(eachFile) -exec printf '%.0s.' {} + | wc -c >\(path("files")) &&
    \(eachFile) -exec cat {} + | wc -l >\(path("lines"))
    """
  }

  /// Appends as many files at a time as fit into the arguments of one command.
  ///
  /// Without files the archive is empty.
  private var pack: String {
    """
    \(eachFile) -exec tar -rf \(path("archive.tar")) {} + &&
    { [ -e \(path("archive.tar")) ] || : >\(path("archive.tar")); } &&
    wc -c <\(path("archive.tar")) >\(path("bytes"))
    """
  }

  private var unpack: String {
    """
    mkdir \(path("unpacked")) && cd \(path("unpacked")) &&
    { ! [ -s ../archive.tar ] || tar -xf ../archive.tar; }
    """
  }

  private var verify: String {
    """
    cd \(path("unpacked")) &&
    find . -type f -exec cksum {} + >../unpacked-unsorted &&
    LC_ALL=C sort ../unpacked-unsorted | cmp - ../hashes
    """
  }

  /// The arithmetic expansion removes the spaces that some versions of `wc` print before a number.
  private var summary: String {
    """
    cd \(path("")) &&
    printf '%12d  %s\\n' "$(($(cat files)))" files "$(($(cat lines)))" lines \
      "$(($(cat bytes)))" 'bytes in the archive, verified' "$(cat hash)" 'checksum of all'
    """
  }

  /// Excludes the scratch directory, which is in the tree if the system's temporary directory is.
  private var eachFile: String {
    let own = scratch.split(separator: "/").last.map { String($0).shellQuoted } ?? "''"
    return #"find . \( -name .git -o -type d \( -name '.build*' -o -name \#(own) \) \) -prune -o -type f"#
  }

  private func path(_ name: String) -> String {
    "\(scratch)/\(name)".shellQuoted
  }
}
