import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { visibleText } from '../../../../core/text/index.js'
import { linkWords, MarkdownView, type ShownNote, useHost } from '../../../../ui/index.js'
import { getJson, getPicture } from '../ask-server.js'

interface EmbedProps {
  target: string
  /** For a picture its size may stand here: `300` or `300x200`. */
  label: string
  /** Shown where there is no such note or picture. */
  link: ComponentChildren
}

export function Embed(props: EmbedProps) {
  return /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i.test(props.target) ? (
    <EmbeddedPicture {...props} />
  ) : (
    <EmbeddedText {...props} />
  )
}

/** Only pictures of the vault: the server finds no others. */
function EmbeddedPicture({ target, label, link }: EmbedProps) {
  const [address, setAddress] = useState<string | undefined>()
  useEffect(() => {
    let isLate = false
    let made: string | undefined
    getPicture(`picture?target=${encodeURIComponent(target)}`).then(
      (bytes) => {
        if (isLate || bytes === undefined) return
        made = URL.createObjectURL(bytes)
        setAddress(made)
      },
      // The link stays.
      () => {},
    )
    return () => {
      isLate = true
      setAddress(undefined)
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [target])
  if (address === undefined) return <>{link}</>
  const [, width, height] = /^(\d{1,4})(?:x(\d{1,4}))?$/.exec(label) ?? []
  const name = visibleText(width === undefined ? label : target).text
  return (
    <img
      class="nw-embedded-picture"
      src={address}
      alt={name}
      width={width === undefined ? undefined : Number(width)}
      height={height === undefined ? undefined : Number(height)}
      decoding="async"
    />
  )
}

function EmbeddedText({ target, link }: EmbedProps) {
  const { openNote } = useHost()
  const [text, setText] = useState<string | undefined>()
  useEffect(() => {
    let isLate = false
    setText(undefined)
    getJson<ShownNote>(`note?target=${encodeURIComponent(target)}`).then(
      (note) => isLate || setText(partOf(note, target)),
      () => {},
    )
    return () => {
      isLate = true
    }
  }, [target])
  if (text === undefined) return <>{link}</>
  const name = visibleText(linkWords(target) || target).text
  return (
    <blockquote class="nw-embed" aria-label={name}>
      <button type="button" class="nw-link" onClick={() => openNote(target)}>
        {name}
      </button>
      <MarkdownView text={text} />
    </blockquote>
  )
}

/** The whole note, the section under a heading, or the paragraph of a block. */
function partOf({ text, bodyAt, headings }: ShownNote, target: string): string | undefined {
  const subpath = target.split('#').slice(1).at(-1)?.trim()
  if (subpath === undefined || subpath === '') return text.slice(bodyAt)
  if (subpath.startsWith('^')) {
    const mark = new RegExp(`\\s\\^${subpath.slice(1).replace(/[^\w-]/g, '')}\\s*$`, 'm')
    return text
      .split(/\n\s*\n/)
      .find((paragraph) => mark.test(paragraph))
      ?.replace(mark, '')
  }
  const at = headings.findIndex((heading) => heading.text.toLowerCase() === subpath.toLowerCase())
  const heading = headings[at]
  if (heading === undefined) return undefined
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level)
  return text
    .split('\n')
    .slice(heading.line - 1, next && next.line - 1)
    .join('\n')
}
