import type { ComponentChildren } from 'preact'
import { visibleText } from '../../../../core/text/index.js'
import { DrawnIcon, Menu, type RowStatus, type SettingsRow } from '../../../../ui/index.js'

interface SetProps {
  title?: string
  about?: ComponentChildren
  /** A button beside the title. */
  action?: ComponentChildren
  children: ComponentChildren
}

/** Rows that belong together, under a heading. */
export function RowSet({ title, about, action, children }: SetProps) {
  return (
    <section class="page-set" aria-label={title}>
      {(title !== undefined || about !== undefined) && (
        <header>
          <div class="nw-grow">
            {title !== undefined && <h4>{title}</h4>}
            {about !== undefined && <p class="nw-remark">{about}</p>}
          </div>
          {action}
        </header>
      )}
      {children}
    </section>
  )
}

interface RowProps<Action extends string> {
  row: SettingsRow<Action>
  act: (action: Action) => void
  isBusy?: boolean
  /** Two letters before the title. */
  tile?: string
  /** A badge before the title, in place of a status. */
  hasBadge?: boolean
  /** More under the row: forms, results, lists. */
  children?: ComponentChildren
}

/** One row: its title with facts, its status, the first action as a button and the others in a menu. */
export function Row<Action extends string>({ row, act, isBusy = false, tile, hasBadge, children }: RowProps<Action>) {
  const { title, about, code, status, facts = [], actions } = row
  const [first, ...others] = actions
  return (
    <fieldset class="page-set-row" aria-label={title}>
      <div class="nw-row-line">
        {tile !== undefined && (
          <span class="nw-tile" aria-hidden="true">
            {tile}
          </span>
        )}
        {hasBadge && status && <span class={`nw-badge nw-badge-${status.tone}`}>{status.text}</span>}
        <div class="nw-grow">
          <b>{title}</b>
          {code !== undefined && code !== title && <code class="nw-facts-line">{code}</code>}
          {about !== undefined && <span class="nw-facts-line">{about}</span>}
          {facts.map(({ label, text }) => (
            <span key={label} class="nw-facts-line">
              {label}: {text}
            </span>
          ))}
        </div>
        {!hasBadge && status && <Status {...status} />}
        <div class="page-set-actions">
          {first && (
            <button
              type="button"
              class="nw-btn-small"
              aria-label={first.name === undefined ? undefined : first.label}
              disabled={isBusy}
              onClick={() => act(first.id)}
            >
              {first.name ?? first.label}
            </button>
          )}
          {others.length > 0 && (
            <Menu
              class="nw-btn-plain nw-btn-icon nw-btn-small"
              label={`More for ${title}`}
              groups={[
                {
                  items: others.map(({ id, label, about: hint, isDanger = false }) => ({
                    label,
                    isDanger,
                    ...(hint !== undefined && { about: hint }),
                    onChoose: () => act(id),
                  })),
                },
              ]}
            >
              <DrawnIcon name="more" />
            </Menu>
          )}
        </div>
      </div>
      {children}
    </fieldset>
  )
}

function Status({ tone, text }: RowStatus) {
  return (
    <span class="page-status">
      <span class={`nw-dot nw-dot-${tone}`} />
      {visibleText(text).text}
    </span>
  )
}

/** Two letters for the tile of a row. */
export function initials(name: string): string {
  const [first = '', second] = visibleText(name).text.split(/[\s._-]+/)
  return (second ? first.slice(0, 1) + second.slice(0, 1) : first.slice(0, 2)).toUpperCase()
}
