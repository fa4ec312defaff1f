import { useState } from 'preact/hooks'
import type { Explanation, RememberedGrant } from '../../../../core/approval/index.js'
import { visibleText } from '../../../../core/text/index.js'
import { FailureBox } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import { NamedSettings } from './named-settings.js'
import type { SectionProps } from './settings-pane.js'

interface Permissions {
  rules: { effect: 'allow' | 'ask' | 'deny'; rule: string; from: string }[]
  grants: RememberedGrant[]
}

/** How much the person is asked, which rules there are, what was allowed for always, and why a call would pass or not. */
export function PermissionsSection({ settings, save }: SectionProps) {
  const { answer, trouble, look } = useLoaded<Permissions>('permissions')
  const [refused, setRefused] = useState<unknown>()

  async function change(path: string, body: unknown): Promise<boolean> {
    setRefused(undefined)
    try {
      await postJson(path, body)
      await look()
      return true
    } catch (error) {
      setRefused(error)
      return false
    }
  }
  return (
    <>
      <h3>Permissions</h3>
      <NamedSettings settings={settings} save={save} names={{ consent: 'How much you are asked' }} />
      <h3>Rules</h3>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {refused !== undefined && <FailureBox failure={failureOf(refused)} title="Nothing was changed" />}
      {answer?.rules.length === 0 && (
        <p class="nw-remark">There are none. A rule allows, asks or denies without you.</p>
      )}
      <ul class="page-rows">
        {answer?.rules.map(({ effect, rule, from }) => (
          <li key={`${effect} ${rule} ${from}`}>
            <span>
              {effect} <code>{visibleText(rule).text}</code> <small>{visibleText(from).text}</small>
            </span>
            {from === 'config' && (
              <button
                type="button"
                aria-label={`Take back ${effect}: ${rule}`}
                onClick={() => void change('permissions/revoke', { what: `${effect}: ${rule}` })}
              >
                Take back
              </button>
            )}
          </li>
        ))}
      </ul>
      <AddRule add={(rule) => change('permissions', { rule })} />
      <h3>Allowed for always in this vault</h3>
      {answer?.grants.length === 0 && <p class="nw-remark">Nothing yet. When you are asked, you can say “always”.</p>}
      <ul class="page-rows">
        {answer?.grants.map(({ id, rule, createdAt, waits }) => (
          <li key={id}>
            <span>
              <code>{visibleText(rule).text}</code> <small>since {createdAt.slice(0, 10)}</small>
              {waits && <small> {visibleText(waits).text}</small>}
            </span>
            <button
              type="button"
              aria-label={`Take back ${rule}`}
              onClick={() => void change('permissions/revoke', { what: id })}
            >
              Take back
            </button>
          </li>
        ))}
      </ul>
      <ExplainCall />
    </>
  )
}

function AddRule({ add }: { add(rule: string): Promise<boolean> }) {
  const [rule, setRule] = useState('')
  const submit = async () => {
    if (await add(rule)) setRule('')
  }
  return (
    <form
      class="nw-setting-row"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <input
        aria-label="A new rule"
        placeholder="deny: writes(tag:#final)"
        value={rule}
        onInput={(event) => setRule(event.currentTarget.value)}
      />
      <button type="submit" disabled={rule.trim() === ''}>
        Add the rule
      </button>
    </form>
  )
}

function ExplainCall() {
  const [tool, setTool] = useState('write_note')
  const [input, setInput] = useState('{"path": "Inbox/New.md", "content": "…"}')
  const [told, setTold] = useState<Explanation | undefined>()
  const [trouble, setTrouble] = useState<unknown>()
  async function explain(): Promise<void> {
    setTrouble(undefined)
    try {
      setTold(await postJson<Explanation>('permissions/explain', { tool, input }))
    } catch (error) {
      setTold(undefined)
      setTrouble(error)
    }
  }
  return (
    <>
      <h3>What would be decided?</h3>
      <form
        class="page-explain"
        onSubmit={(event) => {
          event.preventDefault()
          void explain()
        }}
      >
        <label class="nw-field">
          Tool
          <input value={tool} onInput={(event) => setTool(event.currentTarget.value)} />
        </label>
        <label class="nw-field">
          Its arguments, as JSON
          <textarea rows={2} value={input} onInput={(event) => setInput(event.currentTarget.value)} />
        </label>
        <button type="submit">Explain</button>
      </form>
      <div role="status">
        {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
        {told && (
          <dl class="nw-arguments">
            <div>
              <dt>{told.effect}</dt>
              <dd>{visibleText(told.reason).text}</dd>
            </div>
            <div>
              <dt>decided by</dt>
              <dd>{visibleText(told.rule).text}</dd>
            </div>
            {told.considered.map(({ name, from, applies, why }, at) => (
              <div key={at}>
                <dt>rule</dt>
                <dd>
                  {visibleText(name).text} ({visibleText(from).text}; {!applies && 'does not apply: '}
                  {visibleText(why).text})
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </>
  )
}
