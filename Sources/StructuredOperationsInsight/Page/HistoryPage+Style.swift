extension HistoryPage {
  static let style = #"""
    :root {
      color-scheme: light dark;
      --page: #f4f6f8; --panel: #ffffff; --text: #1b2430; --faint: #5c6875; --line: #d8dee5; --stripe: #f7f9fb;
      --edge: #87919c; --accent: #1559b8; --succeeded: #5b94d6; --critical: #1559b8; --failed: #d1443a;
      --cancelled: #6c747e; --unfinished: #bf8600; --on-bar: #0d1b2d; --on-strong: #ffffff; --on-unfinished: #0d1b2d;
      --chosen: #8a2be2;
    }
    /* Not on paper, whose ground is white. */
    @media screen and (prefers-color-scheme: dark) {
      :root {
        --page: #12161b; --panel: #1a2027; --text: #e2e8ee; --faint: #9aa6b2; --line: #323b46; --stripe: #1f262e;
        --edge: #717c88; --accent: #7fb4ff; --succeeded: #4470a6; --critical: #8fc0ff; --failed: #e0665c;
        --cancelled: #98a2ad; --unfinished: #c99a26; --on-bar: #eef4fb; --on-strong: #06162b; --on-unfinished: #06162b;
        --chosen: #e0b3ff;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0; background: var(--page); color: var(--text);
      font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
    }
    header, main { max-width: 1500px; margin: 0 auto; padding: 0 20px; }
    header { padding-top: 18px; }
    h1 { font-size: 22px; margin: 0 0 10px; }
    h2 { font-size: 15px; margin: 0 0 8px; }
    p { margin: 0 0 8px; }
    section {
      background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; margin: 14px 0;
      min-width: 0;
    }
    dl { display: flex; flex-wrap: wrap; gap: 8px 30px; margin: 0; }
    dt { color: var(--faint); font-size: 12px; }
    dd { margin: 0; font-size: 18px; font-variant-numeric: tabular-nums; }
    #details dd { font-size: 14px; overflow-wrap: anywhere; white-space: pre-wrap; }
    #details .course { margin-top: 8px; }
    #details dl { gap: 8px 24px; }
    .hint { color: var(--faint); font-size: 12px; }
    #hover { margin: 6px 0 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    .bar { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; margin-bottom: 8px; }
    .bar h2 { margin: 0; }
    .legend { font-size: 12px; }
    .legend span { white-space: nowrap; }
    nav { margin-top: 10px; }
    nav a { color: var(--accent); margin-right: 14px; font-size: 12px; }
    .legend i { display: inline-block; width: 12px; height: 12px; border-radius: 2px; margin: 0 4px -2px 8px; }
    .critical { background: var(--critical); }
    .succeeded { background: var(--succeeded); }
    .failed { background: var(--failed); }
    .skipped { box-shadow: inset 0 0 0 2px var(--failed); }
    .cancelled { background: var(--cancelled); }
    .unfinished { background: var(--unfinished); }
    .legend i, .mark, .share i { forced-color-adjust: none; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    button, input {
      font: inherit; color: inherit; background: var(--stripe); border: 1px solid var(--edge); border-radius: 6px;
      padding: 3px 10px;
    }
    button { cursor: pointer; }
    button:hover { border-color: var(--accent); }
    input { min-width: 240px; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
    .scroller { overflow: auto; border: 1px solid var(--line); border-radius: 6px; }
    .list { max-height: 320px; }
    #timeline { max-height: 460px; overflow-x: hidden; }
    #timeline-canvas { display: block; position: sticky; top: 0; width: 100%; cursor: crosshair; touch-action: pan-y; }
    #timeline-canvas:focus-visible { outline-offset: -2px; }
    .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(330px, 100%), 1fr)); gap: 14px; }
    .columns section { margin: 0; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td {
      text-align: left; padding: 0 8px; height: 28px; white-space: nowrap; border-bottom: 1px solid var(--line);
      max-width: 360px; overflow: hidden; text-overflow: ellipsis;
    }
    th { position: sticky; top: 0; background: var(--panel); font-size: 12px; color: var(--faint); z-index: 1; }
    th button { border: 0; background: none; padding: 2px 0; font-size: 12px; color: inherit; }
    th[aria-sort] button { color: var(--accent); }
    th[aria-sort=ascending] button::after { content: " ▲"; }
    th[aria-sort=descending] button::after { content: " ▼"; }
    .list td:first-child { width: 100%; max-width: 0; }
    .list em { white-space: normal; }
    .number { text-align: right; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    td button {
      border: 0; background: none; padding: 0; color: var(--accent); max-width: 100%; overflow: hidden;
      text-overflow: ellipsis; vertical-align: bottom; white-space: pre; min-width: 30px; text-align: left;
    }
    td button:hover, .links button:hover { text-decoration: underline; }
    .links button { border: 0; background: none; padding: 0; margin-right: 10px; color: var(--accent); }
    tr.chosen { outline: 2px solid var(--chosen); outline-offset: -2px; }
    tr.chosen td { background: color-mix(in srgb, var(--chosen) 18%, transparent); }
    tr.space td { visibility: hidden; border: 0; }
    .mark { display: inline-block; width: 9px; height: 9px; border-radius: 2px; margin-right: 6px; }
    .share { display: inline-block; width: clamp(32px, 3.5vw, 60px); }
    .share i { display: block; height: 9px; min-width: 1px; border-radius: 2px; background: var(--critical); }
    /* What has the focus is not behind the details. */
    .full-details { scroll-padding-block: calc(40vh + 8px); }
    .full-details #details-section { position: sticky; top: 0; bottom: 0; z-index: 2; max-height: 40vh; overflow: auto; }
    @media (max-height: 500px) {
      .full-details { scroll-padding-block: 0; }
      .full-details #details-section { position: static; max-height: none; }
    }
    #table-scroller { max-height: 480px; }
    #table { table-layout: fixed; min-width: 1040px; }
    #table th:nth-child(1) { width: 64px; }
    #table th:nth-child(3) { width: 16%; }
    #table th:nth-child(4) { width: 120px; }
    #table th:nth-child(n+5) { width: 104px; }
    #graph { max-height: 560px; }
    #graph p { margin: 8px; }
    #graph text { fill: var(--text); font-size: 12px; }
    #graph text.time { fill: var(--faint); font-size: 10px; }
    #graph rect { fill: var(--stripe); stroke: var(--edge); stroke-width: 1; }
    #graph g[role=button] { cursor: pointer; }
    #graph g.critical rect { stroke: var(--critical); stroke-width: 2.5; }
    #graph g.failed rect, #graph g.skipped rect { stroke: var(--failed); }
    #graph g.skipped rect { stroke-dasharray: 4 3; }
    #graph g.chosen rect { stroke: var(--chosen); stroke-width: 3; }
    #graph path { fill: none; stroke: var(--faint); stroke-width: 1; }
    #graph path.critical { stroke: var(--critical); stroke-width: 2.5; }
    #graph path.head { fill: var(--faint); stroke: none; }
    #graph path.head.critical { fill: var(--critical); }
    #graph path.wait { stroke-dasharray: 5 4; }
    #graph path.adds { stroke-dasharray: 1 4; }
    @media print {
      .scroller, #timeline, #graph, #table-scroller, .full-details #details-section {
        max-height: none; overflow: visible; position: static;
      }
      #timeline-space { height: auto !important; }
      #timeline-canvas { position: static; }
      tr.space { height: auto !important; }
      tr.space td { visibility: visible; }
      nav, #zoom-in, #zoom-out, #zoom-all, #choose-none, label, .bar .hint:not(#range) { display: none; }
      #graph svg { max-width: 100%; height: auto; }
      #table { min-width: 0; table-layout: auto; font-size: 11px; }
      #table th:nth-child(n) { width: auto; }
      #table th, #table td { max-width: 150px; padding: 0 4px; }
    }
    """#
}
