import type { ApprovalRequest } from '../../core/approval/index.js'
import { bytes, grouped, visibleText } from '../../core/text/index.js'
import type { Chosen } from './allow-words.js'

/** Why a note came up, in words; undefined where nobody knows. */
export type WhyFound = (path: string) => string | undefined

/** Notes of which the person picks those that the model gets. */
export function PickList({
  request,
  why,
  chosen,
  choose,
}: {
  request: ApprovalRequest
  why?: WhyFound
  chosen: Chosen
  choose: (next: Chosen) => void
}) {
  const { pick = [], pickBytes = {} } = request
  const set = (paths: readonly string[], isIn: boolean) => {
    const picked = new Set(chosen.picked)
    for (const path of paths) isIn ? picked.add(path) : picked.delete(path)
    choose({ ...chosen, picked })
  }
  const size = pick.reduce((sum, path) => sum + (chosen.picked.has(path) ? (pickBytes[path] ?? 0) : 0), 0)
  return (
    <fieldset class="nw-pick">
      <legend>Select files to share with AI:</legend>
      <ul>
        {pick.map((path) => {
          const cut = path.lastIndexOf('/') + 1
          return (
            <li key={path}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen.picked.has(path)}
                  onChange={(event) => set([path], event.currentTarget.checked)}
                />
                <span>
                  {visibleText(path.slice(cut)).text}
                  <small>
                    {visibleText(path).text}
                    {[pickBytes[path] !== undefined && bytes(pickBytes[path]), why?.(path)]
                      .filter(Boolean)
                      .map((fact) => ` · ${visibleText(`${fact}`).text}`)}
                  </small>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
      <p class="nw-choices">
        <button type="button" class="nw-quiet" onClick={() => set(pick, true)}>
          Select all
        </button>
        <button type="button" class="nw-quiet" onClick={() => set(pick, false)}>
          Deselect all
        </button>
        <span>{size > 0 && `${bytes(size)}, about ${grouped(Math.ceil(size / 4))} tokens`}</span>
      </p>
    </fieldset>
  )
}
