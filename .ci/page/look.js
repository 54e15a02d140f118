// Runs in the page of history.json, long.json or many.awk, before its own scripts; asks it questions, and leaves what is wrong as
// lines of an element.
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
  const told = '\u2068link\u2069 – succeeded, in slot 1 of \u2068work\u2069, executing from 300 ms to 500 ms: 200 ms'
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
  await lookAtAxis(9)
}

// The texts of the axis differ from each other, also of a part of the picture.
async function lookAtAxis(zooms) {
  for (let zoom = 0; zoom <= zooms; zoom += 1) {
    // The same may be painted twice.
    const ticks = [...new Map(texts.filter(({ y }) => y < 20).map(({ text, x }) => [x, text])).values()]
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
  key(element('search'), 'Escape')
  expect('what Escape in the field of the search leaves chosen', list('details').name, 'ship')
  element('choose-none').focus()
  element('choose-none').click()
  expect('whether the button chooses nothing', isNothingChosen(), true)
  expect('the focus after that', document.activeElement.id, 'details-title')
  document.activeElement.blur()
  Object.assign(element('graph').style, { width: '300px', height: '90px' })
  choose('tell')
  const [outer, inner] = [element('graph'), document.querySelector('#graph g.chosen rect')].map(each => each.getBoundingClientRect())
  expect('whether the chosen node is in view',
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom, true)
}

// What has the focus is not behind the details, which stay in view.
function lookAtFocus() {
  choose('link')
  const details = element('details-section')
  const others = all('button, [tabindex]').filter(each => !details.contains(each) && !each.matches('.scroller, canvas'))
  for (const each of [...others, ...others.reverse()]) {
    each.focus()
    const [inner, outer] = [each, details].map(one => one.getBoundingClientRect())
    if (inner.top >= outer.top && inner.bottom <= outer.bottom) findings.push(`the details cover ${each.textContent}`)
  }
  expect('the lines that are marked as chosen', all('[aria-current=true]').map(each => each.textContent.includes('link')), [true, true])
}

// What is drawn is at least three times as light or dark as its ground, by the measure of WCAG.
function lookAtColours() {
  const rules = [...document.styleSheets[0].cssRules].flatMap(rule => [rule, ...rule.cssRules ?? []])
  const light = text => {
    const parts = text.trim().match(/[0-9a-f]{2}/g).map(part => parseInt(part, 16) / 255)
    const [red, green, blue] = parts.map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const schemes = rules.filter(rule => rule.selectorText === ':root' && rule.style.getPropertyValue('--panel'))
  expect('the number of colour schemes', schemes.length, 2)
  for (const { style } of schemes) {
    const contrast = (...names) => {
      const [one, other] = names.map(name => light(style.getPropertyValue(`--${name}`))).sort((a, b) => a - b)
      return (other + 0.05) / (one + 0.05)
    }
    const ask = (one, other, least) => {
      if (contrast(one, other) < least) findings.push(`the contrast of ${one} and ${other}: ${contrast(one, other)}`)
    }
    for (const name of ['succeeded', 'critical', 'failed', 'cancelled', 'unfinished', 'edge', 'chosen']) ask(name, 'panel', 3)
    for (const name of ['text', 'faint', 'accent']) for (const ground of ['panel', 'page', 'stripe']) ask(name, ground, 4.5)
    for (const name of ['critical', 'failed', 'cancelled']) ask(name, 'on-strong', 4.5)
    ask('succeeded', 'on-bar', 4.5)
    ask('unfinished', 'on-unfinished', 4.5)
  }
}

function lookAtSmallWindow() {
  document.body.style.width = '400px'
  const width = each => each.getBoundingClientRect().width
  if (width(all('#table th')[1]) < 100) findings.push('the names in the table of operations have no room')
  for (const id of ['path', 'waits', 'limits']) {
    if (width(element(id)) > element(id).parentElement.clientWidth) findings.push(`the table ${id} is wider than its box`)
    if (Math.max(...all('.share i', element(id)).map(width)) < 30) findings.push(`the bars in the table ${id} have no room`)
  }
  document.body.style.width = '320px'
  expect('whether the columns fit a small window', document.querySelector('.columns').scrollWidth <= 320, true)
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
  await lookAtAxis(43)
  choose('night')
  expect('when it has finished', list('details').finished, '3 h 59 min 40 s')
}

// The operations that many.awk makes.
async function lookAtMany() {
  const rows = () => all('#table tbody tr:not(.space)')
  expect('how many lines the table says it has', element('table').ariaRowCount, '3034')
  if (rows().length > 200) findings.push(`the table has ${rows().length} lines in the page`)
  expect('the height of a name of three lines', rows()[0].getBoundingClientRect().height, 28)
  rows()[10].querySelector('button').focus()
  element('table-scroller').scrollTop = 45 * 28
  element('table-scroller').dispatchEvent(new Event('scroll'))
  await painted(() => {})
  expect('the first line after scrolling', rows()[0].ariaRowIndex, '7')
  expect('the focus after scrolling', document.activeElement.textContent, 't 10')

  const canvas = element('timeline-canvas')
  const ratio = canvas.width / canvas.getBoundingClientRect().width
  const slot = number => texts.find(({ text }) => text === `slot ${number}`).y * ratio
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
  // How many pixels of a slot have the colour, and where the first of them is.
  const drawn = (number, name) => {
    const wanted = colour(name).match(/[0-9a-f]{2}/g).map(part => parseInt(part, 16))
    const { data } = canvas.getContext('2d').getImageData(0, Math.round(slot(number)), canvas.width, 1)
    const places = Array.from({ length: canvas.width }, (_, x) => x)
      .filter(x => wanted.every((part, i) => Math.abs(data[4 * x + i] - part) < 2))
    return places
  }
  await painted(() => element('zoom-all').click())
  expect('how wide a failure of a millisecond among others is drawn', drawn(1, 'failed').length, Math.round(ratio))
  expect('where operations of no length are drawn', drawn(2, 'succeeded').map(x => Math.round(x / ratio)),
    [90, Math.round(canvas.width / ratio) - 1])

  const box = canvas.getBoundingClientRect()
  const hover = async moment => {
    const left = 90 + (moment - 1700 + 212.5) / 425 * (box.width - 90)
    const y = slot(1) / ratio
    canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + left, clientY: box.top + y }))
    return element('hover').textContent.split(' – ')[0]
  }
  for (let zoom = 0; zoom < 3; zoom += 1) await painted(() => element('zoom-in').click())
  for (const number of [1650, 1700, 1750]) {
    expect(`what the middle of the bar of ${number} is`, await hover(number - 0.5), `\u2068t ${number}\u2069`)
  }

  element('search').value = '#1777'
  element('search').dispatchEvent(new Event('input'))
  await new Promise(resolve => setTimeout(resolve, 400))
  expect('what the search finds', rows().map(row => row.cells[1].textContent), ['t 1776'])
  element('search').value = 'cafe\u0301'
  element('search').dispatchEvent(new Event('input'))
  await new Promise(resolve => setTimeout(resolve, 400))
  expect('what the search for the other form of a letter finds', rows().map(row => row.cells[1].textContent), ['caf\u00e9'])
  rows()[0].querySelector('button').click()
  expect('whom what is chosen has added', list('details')['has added'], 'child')
  expect('how it stood', all('.course tbody tr').map(row => [...row.cells].map(cell => cell.textContent).join(' ').trim()), [
    'executing 0 100 ms 100 ms 1', 'waiting 100 ms 200 ms 100 ms  child', 'executing 200 ms 300 ms 100 ms 1',
  ])
  const title = path => path.getAttribute('class')
  expect('the critical lines', all('#graph path.critical:not(.head)').map(title).sort(), ['dependency critical', 'wait critical'])
  element('search').value = ''
  element('search').dispatchEvent(new Event('input'))
  await new Promise(resolve => setTimeout(resolve, 400))
  const height = canvas.height
  dispatchEvent(new Event('beforeprint'))
  expect('the lines of the printed table', rows().length, 3033)
  if (canvas.height <= height) findings.push('the printed picture ends where the one on the screen is scrolled')
  dispatchEvent(new Event('afterprint'))
  if (rows().length > 200 || canvas.height !== height) findings.push('after printing the page is not as it was')
}

window.addEventListener('load', async () => {
  const count = list('figures').operations
  try {
    if (count === '1') {
      await lookAtLongTimes()
    } else if (count !== '8') {
      await lookAtMany()
    } else {
      lookAtFigures()
      lookAtGraph()
      await lookAtTimeline()
      lookAtChoices()
      lookAtFocus()
      lookAtColours()
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
