import { DrawnIcon, EmptyState, Menu, Skeleton, Toast } from '../../../src/ui/index.js'
import type { Story } from './stories.js'

const note = (text: string) => () => globalThis.answers.push(text)

/** Every base control, as components use them. */
export const controlStories: Story[] = [
  {
    name: 'controls: buttons',
    draw: () => (
      <div class="nw-buttons">
        <button type="button" class="nw-btn-main">
          Apply
        </button>
        <button type="button">Deny</button>
        <button type="button" class="nw-btn-plain">
          Edit
        </button>
        <button type="button" class="nw-btn-danger">
          <DrawnIcon name="trash" /> Delete
        </button>
        <button type="button" class="nw-btn-small">
          Undo
        </button>
        <button type="button" class="nw-btn-icon nw-btn-plain" aria-label="More">
          <DrawnIcon name="more" />
        </button>
        <button type="button" disabled>
          Not now
        </button>
        <a class="nw-btn" href="#controls">
          Open in Obsidian
        </a>
        <p>
          In a sentence,{' '}
          <button type="button" class="nw-link">
            a button
          </button>{' '}
          is a link. Press{' '}
          <span class="nw-keys">
            <kbd class="nw-key">Ctrl</kbd>
            <kbd class="nw-key">K</kbd>
          </span>
          .
        </p>
      </div>
    ),
  },
  {
    name: 'controls: chips',
    draw: () => (
      <div class="nw-buttons">
        <button type="button" class="nw-chip">
          <DrawnIcon name="tag" /> Tag
        </button>
        <span class="nw-chip nw-chip-on">
          In Garden
          <button type="button" aria-label="Remove In Garden">
            <DrawnIcon name="close" />
          </button>
        </span>
        <button type="button" class="nw-chip nw-chip-dashed">
          Add filter
        </button>
        <span class="nw-badge">Rules only</span>
        <span class="nw-badge nw-badge-ok">Running</span>
        <span class="nw-badge nw-badge-warn">Needs you</span>
        <span class="nw-badge nw-badge-bad">Failed</span>
        <span class="nw-dot" /> <span class="nw-dot nw-dot-ok" /> <span class="nw-dot nw-dot-warn" />
        <span class="nw-dot nw-dot-bad" /> <span class="nw-dot nw-dot-off" />
      </div>
    ),
  },
  {
    name: 'controls: menu',
    draw: () => (
      <Menu
        label="Approvals: Ask first"
        groups={[
          {
            title: 'Approvals in this chat',
            items: [
              { label: 'Read only', about: 'No changes', checked: false, onChoose: note('read-only') },
              { label: 'Ask first', about: 'Before every change', checked: true, onChoose: note('ask') },
            ],
          },
          { items: [{ label: 'Approval settings', icon: 'settings', onChoose: note('settings') }] },
        ]}
      >
        <DrawnIcon name="shield" /> Ask first
      </Menu>
    ),
  },
  {
    name: 'controls: fields',
    draw: () => (
      <div class="nw-form">
        <label class="nw-field">
          A field
          <input type="text" placeholder="Text" />
          <small>What belongs in it</small>
        </label>
        <span class="nw-input">
          <DrawnIcon name="search" />
          <input type="search" aria-label="Search" placeholder="Search in chats" />
        </span>
        <label class="nw-row-line">
          <span class="nw-grow">
            Read pages<span class="nw-facts-line">Sends the address to its server</span>
          </span>
          <input type="checkbox" role="switch" aria-checked={false} />
        </label>
        <label class="nw-check">
          <input type="checkbox" checked /> Sample checked
        </label>
        <fieldset class="nw-segments" aria-label="Theme">
          <button type="button" aria-pressed="true">
            System
          </button>
          <button type="button" aria-pressed="false">
            Light
          </button>
          <button type="button" aria-pressed="false">
            Dark
          </button>
        </fieldset>
        <label class="nw-choice">
          <input type="radio" name="level" checked />
          <b>Ask first</b>
          <p>Asks before every change.</p>
        </label>
        <select aria-label="Show">
          <option>All chats</option>
        </select>
        <textarea aria-label="Instructions" rows={2} />
      </div>
    ),
  },
  {
    name: 'controls: states',
    draw: () => (
      <>
        <div class="nw-banner nw-banner-bad">
          <DrawnIcon name="offline" />
          <span class="nw-grow">The server does not answer.</span>
          <span class="nw-spin" />
        </div>
        <div class="nw-card">
          <ul class="nw-rows">
            <li class="nw-row-line">
              <span class="nw-tile" aria-hidden="true">
                Ol
              </span>
              <span class="nw-grow">
                Ollama<span class="nw-facts-line">Running on this computer</span>
              </span>
              <button type="button">Use</button>
            </li>
          </ul>
        </div>
        <EmptyState icon="chat" title="No chats yet" actions={<button type="button">New chat</button>}>
          Ask something and it will be kept here.
        </EmptyState>
        <Skeleton label="Loading the chat" />
        <progress class="nw-bar" aria-label="Samples checked" max={11} value={7} />
      </>
    ),
  },
  { name: 'controls: toast', draw: () => <Toast text="Compost updated" onClose={note('closed')} /> },
]
