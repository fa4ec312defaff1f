import { useEffect, useState } from 'preact/hooks'
import { bytes, count, visibleText } from '../../../../core/text/index.js'
import { FailureBox, Skeleton, useHost } from '../../../../ui/index.js'
import { failureOf, requestServer } from '../ask-server.js'
import type { LoadedFile } from './loaded-note.js'

/** A file that is not an indexed note. */
export function FileView({ file }: { file: Exclude<LoadedFile, { kind: 'note' }> }) {
  return (
    <article class="nw-note">
      <h2 class="nw-note-title">{visibleText(file.title).text}</h2>
      <p class="nw-facts-line">{visibleText(file.path).text}</p>
      {contentOf(file)}
    </article>
  )
}

function contentOf(file: Exclude<LoadedFile, { kind: 'note' }>) {
  switch (file.kind) {
    case 'canvas':
      return <CanvasCards {...file.canvas} />
    case 'source':
      return (
        <>
          <p class="nw-note-warn">This note is not in the index, so it is shown as it is written.</p>
          <p class="nw-source">{visibleText(file.text).text}</p>
        </>
      )
    case 'unreadable':
      return <FailureBox failure={file.why} title="This file cannot be read" />
    case 'file':
      return file.type === undefined ? (
        <p>{bytes(file.size)}. Files of this type cannot be shown here.</p>
      ) : (
        <VaultFile path={file.path} title={file.title} type={file.type} size={file.size} />
      )
    default:
      return file satisfies never
  }
}

/** A picture is drawn, a PDF can be saved. */
function VaultFile({ path, title, type, size }: { path: string; title: string; type: string; size: number }) {
  const [address, setAddress] = useState<string | undefined>()
  const [trouble, setTrouble] = useState<unknown>()
  useEffect(() => {
    let made: string | undefined
    let isLate = false
    requestServer(`file?path=${encodeURIComponent(path)}`, {})
      .then((response) => response.blob())
      .then(
        (blob) => {
          if (isLate) return
          made = URL.createObjectURL(new Blob([blob], { type }))
          setAddress(made)
        },
        (error) => isLate || setTrouble(error),
      )
    return () => {
      isLate = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [path, type])
  if (trouble !== undefined) return <FailureBox failure={failureOf(trouble)} title="The file could not be loaded" />
  if (address === undefined) return <Skeleton label="Loading the file" />
  return (
    <>
      {type.startsWith('image/') && <img class="page-note-picture" src={address} alt={visibleText(title).text} />}
      <p>
        <a class="nw-btn" href={address} download={title}>
          Save {type === 'application/pdf' ? 'the PDF' : 'the picture'} ({bytes(size)})
        </a>
      </p>
    </>
  )
}

/** The cards of a canvas as a list, with their connections. */
function CanvasCards({ nodes, edges }: Extract<LoadedFile, { kind: 'canvas' }>['canvas']) {
  const { Markdown, openNote } = useHost()
  const names = new Map(nodes.map(({ id, about, type }) => [id, nameOf(about, type)]))
  return (
    <>
      <p class="nw-remark">
        A canvas with {count(nodes.length, 'card')} and {count(edges.length, 'connection')}.
      </p>
      <ul class="page-cards">
        {nodes.map(({ id, type, about }) => (
          <li key={id}>
            {type === 'text' && <Markdown text={about} />}
            {type === 'file' && (
              <button type="button" class="nw-link" onClick={() => openNote(about)}>
                {visibleText(nameOf(about, type)).text}
              </button>
            )}
            {type === 'link' && <span>{visibleText(about).text}</span>}
            {type === 'group' && <b>{visibleText(nameOf(about, type)).text}</b>}
            {edges
              .filter(({ from }) => from === id)
              .map(({ id: edge, to }) => (
                <p class="nw-facts-line" key={edge}>
                  leads to {visibleText(names.get(to) ?? '').text}
                </p>
              ))}
          </li>
        ))}
      </ul>
    </>
  )
}

function nameOf(about: string, type: string): string {
  if (type === 'file') return about.slice(about.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  const line = about.trim().split('\n')[0] ?? ''
  return line === '' ? 'a group without a name' : line.replace(/^#+\s*/, '').slice(0, 80)
}
