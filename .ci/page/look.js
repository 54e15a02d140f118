// Runs in the page of history.json or long.json, before its own scripts; asks it questions, and leaves what is wrong as lines of
// an element.
const findings = []
const expect = (what, found, wanted) => {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)]
  if (one !== other) findings.push(`${what}: ${one}, not ${other}`)
}
window.addEventListener('error', event => {
  // The size may change again while it is being told.
  if (!event.message.startsWith('ResizeObserver loop')) findings.push(`a script fails: ${event.message}`)
})

// The texts of the canvas since the last `painted()`.
let texts = []
const fillText = CanvasRenderingContext2D.prototype.fillText
CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
  texts.push({ text, x, y })
  fillText.call(this, text, x, y, ...rest)
}
const painted = async change => {
  texts = []
  change()
  await new Promise(resolve => setTimeout(resolve, 50))
}
// Without a window frames come late or never.
window.requestAnimationFrame = callback => setTimeout(callback, 5)
// There is no pointer to capture.
Element.prototype.setPointerCapture = () => {}

const element = id => document.getElementById(id)
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)]
const table = id => all('tbody tr', element(id)).map(row => [...row.cells].map(cell => cell.textContent).join(' ').trim())
const list = id => Object.fromEntries(all('div', element(id)).map(line => [...line.children].map(part => part.textContent)))
const key = (target, name) => target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
const choose = name => all('#table td button').find(button => button.textContent === name).click()

function lookAtFigures() {
  expect('the title', document.title, 'A & <b> page')
  expect('the headline', document.querySelector('h1').textContent, document.title)
  expect('the figures', list('figures'), {
    operations: '8', duration: '600 ms', 'slots used': '3', "slots' time used": '66 %', failed: '1', skipped: '1',
    unfinished: '2', 'executing, in all': '1.18 s',
  })
  expect('the critical path', table('path'), ['fetch 80 ms', 'parse 200 ms', 'link 200 ms', 'tell 100 ms'])
  expect('what waits cost', table('waits'), [
    'watch the files of a folder for changes of any kind 1 600 ms', 'fetch 2 200 ms', 'parse 1 200 ms', 'check 1 200 ms',
    'link 1 200 ms', 'its turn in network 2 120 ms', 'its turn in work 1 50 ms',
    'a pause, or something outside of the queues 1 30 ms', 'everything in network 1 20 ms',
  ])
  expect('the first of the other limits', table('limits')[0], 'as it was 600 ms')
}

function lookAtGraph() {
  const nodes = all('#graph g[data-index]').map(node => {
    const [x, y] = node.getAttribute('transform').match(/[\d.]+/g).map(Number)
    const [width, height] = ['width', 'height'].map(name => Number(node.querySelector('rect').getAttribute(name)))
    return { name: node.querySelector('text').textContent, left: x, right: x + width, top: y, bottom: y + height }
  })
  const isAt = (node, side, point) => Math.abs(node[side] - point.x) < 1 && Math.abs((node.top + node.bottom) / 2 - point.y) < 1
  const edges = all('#graph svg > path:not(.head)').map(path => {
    const length = path.getTotalLength()
    const source = nodes.find(node => isAt(node, 'right', path.getPointAtLength(0)))
    const target = nodes.find(node => isAt(node, 'left', path.getPointAtLength(length)))
    const name = `${source?.name} ${target?.name}`
    for (let at = 0; at <= length; at += 1) {
      const { x, y } = path.getPointAtLength(at)
      const crossed = nodes.find(node => node !== source && node !== target
        && x > node.left && x < node.right && y > node.top && y < node.bottom)
      if (!crossed) continue
      findings.push(`the edge ${name} crosses ${crossed.name}`)
      break
    }
    const head = path.nextElementSibling
    const isHead = head.matches('path.head') && Math.abs(head.getBBox().x + head.getBBox().width - target?.left) < 1
    if (!isHead) findings.push(`the edge ${name} has no arrowhead`)
    return { name, isCritical: path.classList.contains('critical') }
  })
  expect('the edges', edges.map(edge => edge.name).sort(), [
    'check ship', 'fetch check', 'fetch link', 'fetch parse', 'fetch tell', 'link tell', 'parse link', 'watch the files of a… stop',
  ])
  expect('the critical edges', edges.filter(edge => edge.isCritical).map(edge => edge.name).sort(),
    ['fetch parse', 'link tell', 'parse link'])
}

async function lookAtTimeline() {
  const canvas = element('timeline-canvas')
  const hover = element('hover')
  await painted(() => element('zoom-all').click())
  const bar = texts.find(({ text }) => text === 'link')
  const point = (type, how = {}) => {
    const box = canvas.getBoundingClientRect()
    canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + bar.x + 5, clientY: box.top + bar.y, ...how }))
  }
  const told = 'link – succeeded, executing from 300 ms to 500 ms: 200 ms'
  point('pointermove')
  expect('what is told of a bar', hover.textContent, told)
  point('pointerleave')
  expect('what is told when the pointer has left', hover.textContent.trim(), '')
  point('pointermove')
  canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -1, ctrlKey: true }))
  expect('what is told when the view has changed', hover.textContent.trim(), '')
  await painted(() => element('zoom-all').click())
  point('pointerdown')
  point('pointerup')
  expect('what a click chooses', [list('details').name, list('details').began, list('details').priority], ['link', '300 ms', 'normal'])
  for (let zoom = 0; zoom <= 9; zoom += 1) {
    const ticks = texts.filter(({ y }) => y < 20).map(({ text }) => text)
    if (ticks.length < 2 || new Set(ticks).size < ticks.length) findings.push(`the axis, zoomed ${zoom} times: ${ticks.join(', ')}`)
    await painted(() => element('zoom-in').click())
  }
}

function lookAtChoices() {
  const isNothingChosen = () => element('details').textContent.startsWith('None') && element('choose-none').hidden
  const node = all('#graph g[data-index]').find(each => each.querySelector('text').textContent === 'parse')
  node.focus()
  key(node, 'Enter')
  expect('what Enter chooses', list('details').name, 'parse')
  expect('the focus after Enter', document.activeElement.querySelector('text')?.textContent, 'parse')
  key(document.activeElement, 'Escape')
  expect('whether Escape chooses nothing', isNothingChosen(), true)
  choose('ship')
  expect('the outcome of what was skipped', [list('details').outcome, list('details').began], ['skipped: no', undefined])
  element('choose-none').click()
  expect('whether the button chooses nothing', isNothingChosen(), true)
  document.activeElement.blur()
  Object.assign(element('graph').style, { width: '300px', height: '90px' })
  choose('tell')
  const [outer, inner] = [element('graph'), document.querySelector('#graph g.chosen rect')].map(each => each.getBoundingClientRect())
  expect('whether the chosen node is in view',
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom, true)
}

function lookAtSmallWindow() {
  document.body.style.width = '400px'
  const width = each => each.getBoundingClientRect().width
  if (width(all('#table th')[1]) < 100) findings.push('the names in the table of operations have no room')
  for (const id of ['path', 'waits', 'limits']) {
    if (width(element(id)) > element(id).parentElement.clientWidth) findings.push(`the table ${id} is wider than its box`)
    if (Math.max(...all('.share i', element(id)).map(width)) < 30) findings.push(`the bars in the table ${id} have no room`)
  }
}

function lookAtPrint() {
  for (const rule of document.styleSheets[0].cssRules) if (rule.media?.mediaText === 'print') rule.media.mediaText = 'all'
  document.body.style.width = '700px'
  const [name, row] = [all('#table th')[1], element('table')].map(each => each.getBoundingClientRect())
  if (name.width < 100) findings.push('the names in the printed table have no room')
  expect('whether the printed table fits', row.right <= 700, true)
}

// Four hours but for twenty seconds.
async function lookAtLongTimes() {
  expect('a duration of hours', list('figures').duration, '3 h 59 min')
  await painted(() => element('zoom-all').click())
  const ticks = texts.filter(({ y }) => y < 20).map(({ text }) => text)
  expect('the first ticks of hours', ticks.slice(0, 4), ['0', '30 min', '1 h 0 min', '1 h 30 min'])
}

window.addEventListener('load', async () => {
  const count = list('figures').operations
  try {
    if (count === '1') {
      await lookAtLongTimes()
    } else {
      lookAtFigures()
      lookAtGraph()
      await lookAtTimeline()
      lookAtChoices()
      lookAtSmallWindow()
      lookAtPrint()
    }
  } catch (error) {
    findings.push(`looking at the page fails: ${error.stack}`)
  }
  const lines = document.createElement('pre')
  lines.id = 'findings'
  lines.textContent = `\n${[...findings, `looked at ${count} operations`].join('\n')}\n`
  document.body.append('\n', lines, '\n')
})
