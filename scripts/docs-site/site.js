// Runs on each page of the docs: theme, menu, copy buttons, search. It loads nothing from elsewhere.
const root = document.currentScript.dataset.root
const theme = localStorage.getItem('docs-theme')
if (theme) document.documentElement.className = theme

addEventListener('DOMContentLoaded', () => {
  setUpTheme(document.querySelector('#theme'))
  setUpMenu(document.querySelector('#menu'), document.querySelector('#navigation'))
  document.querySelectorAll('pre:not(.output)').forEach(addCopyButton)
  setUpSearch(document.querySelector('#search'), document.querySelector('#results'))
  document.querySelector('#navigation [aria-current]')?.scrollIntoView({ block: 'center' })
  scrollTo(0, location.hash ? scrollY : 0)
})

function setUpTheme(button) {
  const isDark = () =>
    document.documentElement.className === 'dark' ||
    (document.documentElement.className === '' && matchMedia('(prefers-color-scheme: dark)').matches)
  const label = () => {
    button.textContent = isDark() ? 'Light' : 'Dark'
  }
  label()
  button.addEventListener('click', () => {
    document.documentElement.className = isDark() ? 'light' : 'dark'
    localStorage.setItem('docs-theme', document.documentElement.className)
    label()
  })
}

function setUpMenu(button, navigation) {
  button.addEventListener('click', () => {
    button.setAttribute('aria-expanded', navigation.classList.toggle('open'))
  })
}

function addCopyButton(block) {
  const box = document.createElement('div')
  box.className = 'code'
  block.replaceWith(box)
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent.trimEnd())
    button.textContent = 'Copied'
  })
  box.append(block, button)
}

function setUpSearch(input, results) {
  let chosen = -1
  input.addEventListener('focus', loadIndex, { once: true })
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')]
    if (event.key === 'Escape') hide()
    else if (event.key === 'Enter') links[Math.max(chosen, 0)]?.click()
    else if (event.key === 'ArrowDown') choose(links, Math.min(chosen + 1, links.length - 1))
    else if (event.key === 'ArrowUp') choose(links, Math.max(chosen - 1, 0))
    else return
    event.preventDefault()
  })
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(input|textarea)$/i.test(document.activeElement.tagName)) return
    event.preventDefault()
    input.focus()
  })
  addEventListener('click', (event) => {
    if (!event.target.closest('.search')) hide()
  })

  function loadIndex() {
    const script = document.createElement('script')
    script.src = `${root}search-index.js`
    script.addEventListener('load', show)
    document.head.append(script)
  }
  function hide() {
    results.hidden = true
  }
  function choose(links, at) {
    links[chosen]?.classList.remove('chosen')
    chosen = at
    links[at]?.classList.add('chosen')
    links[at]?.scrollIntoView({ block: 'nearest' })
  }
  function show() {
    const words = input.value.toLowerCase().match(/[\p{L}\p{N}_./-]+/gu) ?? []
    chosen = -1
    results.replaceChildren()
    results.hidden = words.length === 0 || window.searchIndex === undefined
    if (results.hidden) return
    const hits = bestEntries(words)
    results.append(...hits.map((entry) => resultOf(entry, words)))
    if (hits.length === 0) results.append(Object.assign(document.createElement('p'), { textContent: 'No matches' }))
  }
}

/** Sections that have every word, those that have them in a heading first. */
function bestEntries(words) {
  const scored = window.searchIndex.map((entry) => {
    const fields = [entry.page, entry.heading, entry.text].map((text) => text.toLowerCase())
    const scores = words.map((word) => {
      const begins = new RegExp(`(^|[^\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'gu')
      const [page, heading, text] = fields.map((field) => (field.match(begins) ?? []).length)
      return (page > 0 ? 6 : 0) + (heading > 0 ? 8 : 0) + Math.min(text, 4)
    })
    return { entry, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, 20)
    .map(({ entry }) => entry)
}

function resultOf({ page, heading, url, text }, words) {
  const link = document.createElement('a')
  link.href = root + url
  const title = document.createElement('b')
  title.textContent = heading === '' ? page : `${page} › ${heading}`
  // From the beginning of a word.
  const near = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40)
  const first = near === 0 ? 0 : text.indexOf(' ', near) + 1
  const excerpt = document.createElement('span')
  excerpt.append(...marked(`${first > 0 ? '…' : ''}${text.slice(first, first + 140)}`, words))
  link.append(title, excerpt)
  return link
}

function marked(text, words) {
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'giu')
  return text.split(pattern).map((part, index) => {
    if (index % 2 === 0) return part
    return Object.assign(document.createElement('mark'), { textContent: part })
  })
}
