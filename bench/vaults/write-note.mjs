/** The text of one note: frontmatter, headings, paragraphs, block ids, and links to other notes. */
export function writeNote(note, { pool, random, popularity, hub }) {
  const paragraphCount = Math.max(1, Math.min(120, Math.round(Math.exp(1.6 + 0.8 * random.normal()))))
  const linkCount = Math.min(60, Math.floor(random.exponential(6)))
  const source = pool[note.language]
  const paragraphs = Array.from({ length: paragraphCount }, () => source.draw(random))
  let linksToHub = 0
  const nextTarget = () => {
    const target = popularity[Math.floor(popularity.length * random.uniform() ** 3)]
    if (target === hub) linksToHub++
    return target
  }

  const head = random.chance(0.8) ? frontmatter(source.words, popularity, random) : { text: '', links: 0 }
  const links = paragraphs.map(() => [])
  for (let link = 0; link < linkCount; link++) random.pick(links).push(linkTo(nextTarget, pool, random))
  const body = paragraphs.map((plain, at) => {
    const paragraph = withLinks(plain, links[at], random)
    const heading = random.chance(0.25) ? `${'#'.repeat(random.between(1, 3))} ${phrase(source.words, random)}\n\n` : ''
    const block = random.chance(0.05) ? ` ^${random.below(0x1000000).toString(16).padStart(6, '0')}` : ''
    return `${heading}${paragraph}${block}\n`
  })
  return { text: `${head.text}${body.join('\n')}`, links: linkCount + head.links, linksToHub }
}

function frontmatter(words, targets, random) {
  const lines = ['---']
  const tags = Array.from({ length: random.between(1, 3) }, () => tag(words, random))
  lines.push(`tags: [${tags.join(', ')}]`)
  if (random.chance(0.2)) lines.push('aliases:', `  - ${phrase(words, random)}`)
  lines.push(`created: ${dateTime(random)}${random.chance(0.1) ? ' # when the file was imported' : ''}`)
  const isLinked = random.chance(0.1)
  if (isLinked) lines.push(`related: "[[${random.pick(targets).title}]]"`)
  lines.push('---', '', '')
  return { text: lines.join('\n'), links: isLinked ? 1 : 0 }
}

function linkTo(nextTarget, pool, random) {
  const draw = random.uniform()
  if (draw < 0.05) return `[[${phrase(pool.en.words, random)} not yet written]]`
  const { title, path } = nextTarget()
  if (draw < 0.7) return `[[${title}]]`
  if (draw < 0.8) return `[[${title}|${random.pick(pool.en.words)}]]`
  if (draw < 0.88) return `[[${title}#${phrase(pool.en.words, random)}]]`
  if (draw < 0.91) return `![[${title}]]`
  if (draw < 0.96) return `[[${path.slice(0, -3)}]]`
  return `[${title}](${encodeURIComponent(`${title}.md`)})`
}

/**
 * Between two words, or at the end where the paragraph holds backticks: after a backtick that is never closed a link
 * is still a link, inside a pair of them it would not be.
 */
function withLinks(paragraph, links, random) {
  const gaps = paragraph.includes('`') ? [] : [...paragraph.matchAll(/(?<=[\p{L},;:]) (?=\p{L})/gu)]
  const places = links.map(() => (gaps.length === 0 ? paragraph.length : random.pick(gaps).index)).sort((a, b) => a - b)
  let text = ''
  let from = 0
  places.forEach((place, number) => {
    text += `${paragraph.slice(from, place)} ${links[number]}`
    from = place
  })
  return text + paragraph.slice(from)
}

function phrase(words, random) {
  const chosen = Array.from({ length: random.between(1, 4) }, () => random.pick(words)).join(' ')
  return chosen.charAt(0).toUpperCase() + chosen.slice(1)
}

function tag(words, random) {
  const name = random.pick(words)
  return random.chance(0.3) ? `${name}/${random.pick(words)}` : name
}

function dateTime(random) {
  const start = Date.UTC(2012, 0, 1)
  return new Date(start + random.below(12 * 365 * 24 * 60) * 60_000).toISOString().slice(0, 16)
}
