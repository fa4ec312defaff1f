import { useState } from 'preact/hooks'
import type { Explanation, RememberedGrant } from '../../../../core/approval/index.js'
import { visibleText } from '../../../../core/text/index.js'
import { FailureBox, grantRow, permissionWords, ruleRow, type ShownRule } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import { Row, RowSet } from './row.js'
import { SettingGroups } from './setting-groups.js'
import type { SectionProps } from './settings-pane.js'

interface Permissions {
  rules: ShownRule[]
  grants: RememberedGrant[]
}

/** Approval level, rules, remembered approvals, and an explanation of decisions. */
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
      <h3>Approvals</h3>
      <p class="nw-remark">Choose which calls wait for your approval.</p>
      <SettingGroups settings={settings} save={save} groups={['consent']} />
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {refused !== undefined && <FailureBox failure={failureOf(refused)} title="Nothing was changed" />}
      <RowSet title={permissionWords.rules} about={permissionWords.rulesAbout}>
        {answer?.rules.length === 0 && <p class="nw-remark">{permissionWords.noRules}</p>}
        {answer && answer.rules.length > 0 && (
          <div class="nw-rows">
            {answer.rules.map((rule) => (
              <Row
                key={`${rule.effect} ${rule.rule} ${rule.from}`}
                hasBadge
                row={ruleRow(rule)}
                act={() => void change('permissions/revoke', { what: `${rule.effect}: ${rule.rule}` })}
              />
            ))}
          </div>
        )}
        <AddRule add={(rule) => change('permissions', { rule })} />
      </RowSet>
      <RowSet title={permissionWords.grants} about={permissionWords.grantsAbout}>
        {answer?.grants.length === 0 && <p class="nw-remark">{permissionWords.noGrants}</p>}
        {answer && answer.grants.length > 0 && (
          <div class="nw-rows">
            {answer.grants.map((grant) => (
              <Row
                key={grant.id}
                hasBadge
                row={grantRow(grant)}
                act={() => void change('permissions/revoke', { what: grant.id })}
              />
            ))}
          </div>
        )}
      </RowSet>
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
        aria-label="New rule"
        placeholder="deny: writes(tag:#final)"
        value={rule}
        onInput={(event) => setRule(event.currentTarget.value)}
      />
      <button type="submit" disabled={rule.trim() === ''}>
        Add rule
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
    <RowSet title="Test a rule" about="Shows what would be decided about a call. Nothing is run.">
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
          Arguments, as JSON
          <textarea rows={2} value={input} onInput={(event) => setInput(event.currentTarget.value)} />
        </label>
        <button type="submit">Test</button>
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
              <dt>Decided by</dt>
              <dd>{visibleText(told.rule).text}</dd>
            </div>
            {told.considered.map(({ name, from, applies, why }, at) => (
              <div key={at}>
                <dt>Rule</dt>
                <dd>
                  {visibleText(name).text} ({visibleText(from).text}; {!applies && 'does not apply: '}
                  {visibleText(why).text})
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </RowSet>
  )
}
