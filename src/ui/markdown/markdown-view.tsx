import type { ComponentChildren, VNode } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { drawInline } from './draw-inline.js'
import type { Block } from './markdown-tree.js'
import { readMarkdown } from './read-markdown.js'
import { liveTail, nothingSealed, sealText } from './sealed-text.js'

/** Draws Markdown as nodes. While it grows, only its end is read and drawn again. */
export function MarkdownView({ text, live = false }: { text: string; live?: boolean }) {
  const known = useRef(nothingSealed)
  known.current = sealText(text, known.current)
  const { sealed } = known.current
  return (
    <div class={live ? 'nw-prose nw-prose-live' : 'nw-prose'}>
      {sealed.map((source, at) => (
        <DrawnBlocks key={at} source={source} />
      ))}
      <DrawnBlocks key={sealed.length} source={liveTail(known.current)} />
    </div>
  )
}

/** The same nodes for the same source: Preact does not look into them again. */
function DrawnBlocks({ source }: { source: string }): VNode {
  return useMemo(() => <>{drawBlocks(readMarkdown(source))}</>, [source])
}

const drawBlocks = (blocks: readonly Block[]): ComponentChildren => blocks.map(drawBlock)

function drawBlock(block: Block): ComponentChildren {
  switch (block.kind) {
    case 'paragraph':
      return <p>{drawInline(block.inner)}</p>
    case 'heading':
      // Below the headings of the page, and all of one rank: a text may begin with any.
      return <h3 class={`nw-heading-${block.level}`}>{drawInline(block.inner)}</h3>
    case 'code':
      return (
        <pre tabIndex={0} data-language={block.info || undefined}>
          <code>{visibleText(block.text).text}</code>
        </pre>
      )
    case 'quote':
      return (
        <blockquote class={block.callout && 'nw-callout'}>
          {block.callout && (
            <p class="nw-callout-title">
              <span class="nw-callout-kind">{block.callout.kind}</span>
              {block.callout.title.length > 0 && <>: {drawInline(block.callout.title)}</>}
            </p>
          )}
          {drawBlocks(block.blocks)}
        </blockquote>
      )
    case 'list':
      return drawList(block)
    case 'table':
      return drawTable(block)
    case 'rule':
      return <hr />
    case 'source':
      return <p class="nw-source">{visibleText(block.text).text}</p>
    default:
      return block satisfies never
  }
}

function drawList({ start, items }: Extract<Block, { kind: 'list' }>): VNode {
  const drawn = items.map(({ done, blocks }) => (
    <li class={done === undefined ? undefined : 'nw-task'}>
      {done !== undefined && <input type="checkbox" checked={done} disabled aria-label={done ? 'done' : 'not done'} />}
      {drawBlocks(blocks)}
    </li>
  ))
  return start === undefined ? <ul>{drawn}</ul> : <ol start={start}>{drawn}</ol>
}

function drawTable({ head, rows }: Extract<Block, { kind: 'table' }>): VNode {
  return (
    <div role="group" class="nw-table" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>{head.map((cell) => (cell.length > 0 ? <th scope="col">{drawInline(cell)}</th> : <td />))}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{drawInline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
