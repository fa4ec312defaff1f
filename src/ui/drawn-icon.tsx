import type { IconName } from './ui-host.js'

const paths: Record<IconName, string> = {
  fold: 'M9 6l6 6-6 6',
  done: 'M5 13l4 4L19 7',
  failed: 'M6 6l12 12M18 6L6 18',
  refused: 'M6 12h12',
  running: 'M12 4a8 8 0 1 0 8 8',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  note: 'M6 3h8l4 4v14H6zM14 3v4h4',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  undo: 'M4 9h10a6 6 0 0 1 0 12H9M4 9l4-4M4 9l4 4',
  edit: 'M4 20l1-5L16 4l4 4L9 19z',
  fork: 'M6 4v6c0 3 6 3 6 6v4M18 4v6c0 3-6 3-6 6',
  add: 'M12 5v14M5 12h14',
  list: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6L6 18',
  graph: 'M6 7a2 2 0 1 0 .1 0M18 5a2 2 0 1 0 .1 0M14 17a2 2 0 1 0 .1 0M8 9l8-1M7 11l6 7M17 9l-2 8',
}

/** An icon of our own, for hosts that have none. It says nothing that words beside it do not say. */
export function DrawnIcon({ name }: { name: IconName }) {
  return (
    <svg class={`nw-icon nw-icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
