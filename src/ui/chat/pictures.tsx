import { useEffect, useMemo, useState } from 'preact/hooks'
import type { FileReference } from '../../core/agent/index.js'
import { describeFile } from '../../core/files.js'
import { visibleText } from '../../core/text/index.js'

/** A picture's bytes, undefined if they are gone; no promise if the picture is unknown. */
export type PictureSource = (file: FileReference) => Promise<Blob | undefined> | undefined

/** Files that a turn is about: pictures are drawn, the others are named. */
export function Pictures({
  files,
  pictureOf,
}: {
  files: readonly FileReference[]
  pictureOf?: PictureSource | undefined
}) {
  return (
    <ul class="nw-pictures" aria-label="Files">
      {files.map((file) => (
        <li key={`${file.name} ${file.hash}`}>
          <Picture file={file} pictureOf={file.kind === 'image' ? pictureOf : undefined} />
        </li>
      ))}
    </ul>
  )
}

function Picture({ file, pictureOf }: { file: FileReference; pictureOf: PictureSource | undefined }) {
  const [isGone, setGone] = useState(false)
  const address = useAddress(file, pictureOf, () => setGone(true))
  const name = visibleText(file.name).text
  const words = (
    <>
      {name}{' '}
      <small>
        {describeFile(file)}
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

/** Bytes get an address for as long as they are shown. */
function useAddress(file: FileReference, pictureOf: PictureSource | undefined, onGone: () => void): string | undefined {
  const source = useMemo(() => pictureOf?.(file), [file.name, file.hash, pictureOf])
  const [made, setMade] = useState<string | undefined>()
  useEffect(() => {
    if (source === undefined) return
    let address: string | undefined
    let isLate = false
    source.then(
      (bytes) => {
        if (isLate) return
        if (bytes === undefined) return onGone()
        address = URL.createObjectURL(bytes)
        setMade(address)
      },
      () => isLate || onGone(),
    )
    return () => {
      isLate = true
      setMade(undefined)
      if (address !== undefined) URL.revokeObjectURL(address)
    }
  }, [source])
  return made
}
