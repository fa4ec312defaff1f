import { useState } from 'preact/hooks'
import type { FileReference } from '../../core/agent/index.js'
import { fileWords } from '../../core/files/index.js'
import { visibleText } from '../../core/text/index.js'

/** Where the bytes of a file are to be had; undefined where they are not. */
export type AddressOf = (file: FileReference) => string | undefined

/** Files that a turn is about: pictures are drawn, the others are named. */
export function Pictures({ files, addressOf }: { files: readonly FileReference[]; addressOf?: AddressOf }) {
  return (
    <ul class="nw-pictures" aria-label="Files">
      {files.map((file) => (
        <li key={`${file.name} ${file.hash}`}>
          <Picture file={file} address={file.kind === 'image' ? addressOf?.(file) : undefined} />
        </li>
      ))}
    </ul>
  )
}

function Picture({ file, address }: { file: FileReference; address: string | undefined }) {
  const [isGone, setGone] = useState(false)
  const name = visibleText(file.name).text
  const words = (
    <>
      {name}{' '}
      <small>
        {fileWords(file)}
        {isGone && '; it is no longer there, or it is another one now'}
      </small>
    </>
  )
  if (address === undefined || isGone) return <p>{words}</p>
  return (
    <figure>
      <img
        src={address}
        alt={name}
        width={file.width}
        height={file.height}
        loading="lazy"
        decoding="async"
        onError={() => setGone(true)}
      />
      <figcaption>{words}</figcaption>
    </figure>
  )
}
