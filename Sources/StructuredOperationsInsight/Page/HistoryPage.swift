/// The parts of the page that ``OperationHistory/html()`` puts together: markup, style, and scripts that read the
/// history from an element with JSON.
///
/// The scripts set text only as text, never as markup, so that nothing in a name is run.
enum HistoryPage {
  static let markup = #"""
    <header>
      <h1>Operations</h1>
      <dl id="figures"></dl>
    </header>
    <main>
    <section aria-labelledby="timeline-title">
      <h2 id="timeline-title">Timeline</h2>
      <div class="bar">
        <button type="button" id="zoom-in">Zoom in</button>
        <button type="button" id="zoom-out">Zoom out</button>
        <button type="button" id="zoom-all">Show all</button>
        <span class="legend">
          <i class="critical"></i>critical path <i class="succeeded"></i>succeeded <i class="failed"></i>failed
          <i class="cancelled"></i>cancelled <i class="unfinished"></i>unfinished
        </span>
        <span class="hint">Drag or ← → to move, Ctrl and wheel or + − to zoom, click to choose</span>
      </div>
      <div id="timeline" class="scroller"><div id="timeline-space">
        <canvas id="timeline-canvas" tabindex="0" role="application"
          aria-label="Timeline by queue and slot; arrow keys move, plus and minus zoom, n and p choose"></canvas>
      </div></div>
      <p id="hover" class="hint" aria-live="off">&nbsp;</p>
    </section>
    <section aria-labelledby="details-title">
      <h2 id="details-title">Chosen operation</h2>
      <div id="details" aria-live="polite"></div>
    </section>
    <div class="columns">
    <section aria-labelledby="path-title">
      <h2 id="path-title">Critical path</h2>
      <p class="hint" id="path-hint"></p>
      <div class="scroller list" tabindex="0"><table id="path"></table></div>
    </section>
    <section aria-labelledby="waits-title">
      <h2 id="waits-title">What waits cost</h2>
      <p class="hint">Time that others spent blocked, ready or waiting, by what they waited for; sums over all of them.
        What is ready waits for its turn: for a slot, a place in a limit or pool, a barrier, a start rate, or for its
        queue to be resumed.</p>
      <div class="scroller list" tabindex="0"><table id="waits"></table></div>
    </section>
    <section aria-labelledby="limits-title">
      <h2 id="limits-title">Other limits</h2>
      <p class="hint">How long it would have taken with so many slots for each queue, worked out from the recording.
        Limits, pools, barriers, start rates and suspension are not replayed.</p>
      <div class="scroller list" tabindex="0"><table id="limits"></table></div>
    </section>
    </div>
    <section aria-labelledby="graph-title">
      <h2 id="graph-title">Graph</h2>
      <p class="hint" id="graph-hint"></p>
      <div class="scroller" id="graph" tabindex="0"></div>
    </section>
    <section aria-labelledby="table-title">
      <h2 id="table-title">All operations</h2>
      <div class="bar">
        <label>Search <input type="search" id="search" placeholder="name, queue or outcome"></label>
        <span id="matches" class="hint" aria-live="polite"></span>
      </div>
      <div class="scroller" id="table-scroller" tabindex="0">
        <table id="table"><thead><tr></tr></thead><tbody></tbody></table>
      </div>
    </section>
    </main>
    <noscript>This page needs JavaScript, which it brings along.</noscript>
    """#
}
