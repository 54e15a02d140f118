import StructuredOperations

/// The graph that the tool carries: hashes, counts, packs and verifies the files below the current directory.
///
/// POSIX tools alone, and every name of a file that they allow: names go from `find` to the tools as arguments, never
/// through a list that a line break could split.
struct SourceTree {
  /// An absolute path, for the files that the operations hand on to each other.
  let scratch: String

  var graph: Graph {
    Graph(nodes: [
      Graph.Node(id: "hash", run: hash),
      Graph.Node(id: "count", run: count),
      // The longest way through the graph begins with the archive.
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

  /// Files are counted by a dot for each, because a name may have several lines.
  private var count: String {
    """
    \(eachFile) -exec printf '%.0s.' {} + | wc -c >\(path("files")) &&
    \(eachFile) -exec cat {} + | wc -l >\(path("lines"))
    """
  }

  /// The archive grows by as many files as fit into one command's arguments; a tree without files has an empty one.
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

  /// The arithmetic drops the spaces with which some `wc` pad their numbers.
  private var summary: String {
    """
    cd \(path("")) &&
    printf '%12d  %s\\n' "$(($(cat files)))" files "$(($(cat lines)))" lines \
      "$(($(cat bytes)))" 'bytes in the archive, verified' "$(cat hash)" 'checksum of all'
    """
  }

  /// The scratch directory itself may stand in the tree, where the temporary directory does.
  private var eachFile: String {
    let own = scratch.split(separator: "/").last.map { String($0).shellQuoted } ?? "''"
    return #"find . \( -name .git -o -type d \( -name '.build*' -o -name \#(own) \) \) -prune -o -type f"#
  }

  private func path(_ name: String) -> String {
    "\(scratch)/\(name)".shellQuoted
  }
}
