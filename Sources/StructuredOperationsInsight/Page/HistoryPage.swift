/// The parts of the page that ``OperationHistory/html(title:)`` puts together: markup, style, and scripts that read the
/// history from an element with JSON.
///
/// The scripts set text only as text, never as markup, so that nothing in a name is run.
enum HistoryPage {
  static let markup = #"""
    <p id="no-script">This page shows nothing without its scripts, and those do not run here: the browser has JavaScript turned
      off, or a content security policy forbids what stands in the page itself. It loads nothing from the network.</p>
    <dl id="figures"></dl>
    <nav hidden aria-label="Parts of the page">
      <a href="#timeline-title">Timeline</a> <a href="#path-title">Critical path</a> <a href="#waits-title">Waits</a>
      <a href="#limits-title">Other limits</a> <a href="#graph-title">Graph</a> <a href="#table-title">All operations</a>
    </nav>
    </header>
    <main hidden>
    <section aria-labelledby="timeline-title">
      <h2 id="timeline-title">Timeline</h2>
      <div class="bar">
        <button type="button" id="zoom-in">Zoom in</button>
        <button type="button" id="zoom-out">Zoom out</button>
        <button type="button" id="zoom-all">Show all</button>
        <span class="legend">
          <span><i class="critical"></i>critical path</span> <span><i class="succeeded"></i>succeeded</span>
          <span><i class="failed"></i>✕ failed</span> <span><i class="skipped"></i>skipped</span>
          <span><i class="cancelled"></i>⊘ cancelled</span> <span><i class="unfinished"></i>unfinished</span>
        </span>
        <span class="hint">Drag or ← → to move, Ctrl and wheel or + − to zoom, click to choose, Esc to choose
          none</span>
        <span class="hint" id="range" role="status"></span>
      </div>
      <div id="timeline" class="scroller"><div id="timeline-space">
        <canvas id="timeline-canvas" tabindex="0" role="application"
          aria-label="Timeline by queue and slot; arrow keys move, plus and minus zoom, n and p choose"></canvas>
      </div></div>
      <p id="hover" class="hint" aria-live="off">&nbsp;</p>
    </section>
    <section aria-labelledby="details-title" id="details-section">
      <div class="bar">
        <h2 id="details-title" tabindex="-1">Chosen operation</h2>
        <button type="button" id="choose-none">Choose none</button>
      </div>
      <div id="details" aria-live="polite"></div>
    </section>
    <div class="columns">
    <section aria-labelledby="path-title">
      <h2 id="path-title">Critical path</h2>
      <p class="hint" id="path-hint"></p>
      <div class="scroller list" tabindex="0" role="group" aria-labelledby="path-title">
        <table id="path" aria-labelledby="path-title"></table>
      </div>
    </section>
    <section aria-labelledby="waits-title">
      <h2 id="waits-title">What waits cost</h2>
      <p class="hint">Time for which others stood still, by what they waited for; sums over all of them. Of what waits
        for an operation only the time counts for which that one was ready or ran itself. What is ready waits for its
        turn: for a slot, a place in a limit or pool, a barrier, a start rate, or for its queue to be resumed.</p>
      <div class="scroller list" tabindex="0" role="group" aria-labelledby="waits-title">
        <table id="waits" aria-labelledby="waits-title"></table>
      </div>
    </section>
    <section aria-labelledby="limits-title">
      <h2 id="limits-title">Other limits</h2>
      <p class="hint" id="limits-hint">How long it would have taken with so many slots for each queue, worked out from the recording.
        Limits, pools, barriers, start rates and suspension are not replayed.</p>
      <div class="scroller list" tabindex="0" role="group" aria-labelledby="limits-title">
        <table id="limits" aria-labelledby="limits-title"></table>
      </div>
    </section>
    </div>
    <section aria-labelledby="graph-title">
      <h2 id="graph-title">Graph</h2>
      <p class="hint" id="graph-hint"></p>
      <div class="scroller" id="graph" tabindex="0" role="group" aria-labelledby="graph-title"></div>
    </section>
    <section aria-labelledby="table-title">
      <h2 id="table-title">All operations</h2>
      <div class="bar">
        <label>Search <input type="search" id="search" placeholder="name, queue, outcome, # or error"></label>
        <span id="matches" class="hint" aria-live="polite"></span>
      </div>
      <div class="scroller" id="table-scroller" tabindex="0" role="group" aria-labelledby="table-title">
        <table id="table" aria-labelledby="table-title"><thead><tr></tr></thead><tbody></tbody></table>
      </div>
    </section>
    </main>
    """#
}
