import { useState } from 'preact/hooks'
import { DrawnIcon } from '../../../../ui/index.js'
import { areSingleKeysOn, shortcuts, switchSingleKeys } from './keyboard.js'
import { Sheet } from './sheet.js'

/** All shortcuts, and the switch for those of a single letter. */
export function HelpSheet({ onClose }: { onClose(): void }) {
  const [isOn, setOn] = useState(areSingleKeysOn)
  return (
    <Sheet label="Keyboard shortcuts" class="page-help" onClose={onClose}>
      <header>
        <h2 class="nw-grow">Keyboard shortcuts</h2>
        <button type="button" class="nw-btn-icon nw-btn-plain" aria-label="Close" onClick={onClose}>
          <DrawnIcon name="close" />
        </button>
      </header>
      <dl>
        {shortcuts.map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd class="nw-keys">
              {keys.map((key) => (
                <kbd class="nw-key" key={key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label class="nw-row-line">
        <span class="nw-grow">
          Shortcuts of a single key
          <span class="nw-facts-line">They work outside of text fields, like ?</span>
        </span>
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          onChange={(event) => {
            switchSingleKeys(event.currentTarget.checked)
            setOn(event.currentTarget.checked)
          }}
        />
      </label>
    </Sheet>
  )
}
