import { type App, Modal } from 'obsidian'
import type { ApprovalEvent, UserAnswer, UserRequest } from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'
import type { PluginVault } from '../../hosts/obsidian/index.js'
import { type ApprovalDecision, ApprovalPart, PlainArguments } from '../../ui/index.js'
import { drawPanel } from './draw-panel.js'

/** Asks the user in a modal, if no pane shows the conversation. Closing it denies. */
export class ToolApprovalModal extends Modal {
  readonly #decided: Record<string, ApprovalDecision> = {}
  readonly #open: Set<string>

  constructor(
    app: App,
    private readonly vault: PluginVault,
    private readonly panel: UserRequest,
    /** The model that receives the result. */
    private readonly model: string,
  ) {
    super(app)
    this.#open = new Set(panel.kind === 'batch' ? panel.requests.map(({ id }) => id) : [panel.id])
    this.setTitle('Tool approval request')
  }

  /** Called after a decision, made in this window or elsewhere. */
  hear({ type: _, id, ...decided }: Extract<ApprovalEvent, { type: 'approval-decided' }>): void {
    if (!this.#open.delete(id)) return
    this.#decided[id] = decided
    if (this.#open.size === 0) this.close()
    else this.#draw()
  }

  override onOpen(): void {
    this.contentEl.addClass('nw', 'notewright-modal')
    this.#draw()
  }

  #draw(): void {
    const part = { kind: 'approval' as const, panel: this.panel, askedAt: Date.now(), decided: { ...this.#decided } }
    drawPanel(
      this.contentEl,
      this.app,
      <>
        <h2 class="nw-said">Request</h2>
        {this.#introduction()}
        <ApprovalPart
          part={part}
          inWindow={{ privacy: privacyOf(this.panel, this.model) }}
          answer={async (panel, answer) => this.#answer(panel, answer)}
        />
      </>,
    )
  }

  #introduction() {
    const { panel } = this
    if (panel.kind === 'question') return <p>{visibleText(panel.from).text} has a question:</p>
    if (panel.kind === 'batch') return <p>The AI wants to use the following tools:</p>
    const { tool, input } = panel
    const purpose = this.vault.registry.find(tool.name)?.tool.description ?? ''
    return (
      <>
        <p>The AI wants to use the following tool:</p>
        <h3>{visibleText(tool.title).text}</h3>
        <p>{visibleText(firstSentence(purpose)).text}</p>
        <h4>Arguments:</h4>
        <PlainArguments input={input} />
      </>
    )
  }

  override onClose(): void {
    drawPanel(this.contentEl, this.app, null)
    if (this.#open.size > 0) this.#answer(this.panel, { verdict: 'deny' })
  }

  #answer({ id, hash, session }: UserRequest, answer: UserAnswer): string | undefined {
    const receipt = this.vault.approvalQueue.answer(id, { ...answer, hash, session })
    return receipt.ok ? undefined : receipt.message
  }
}

function privacyOf(panel: UserRequest, model: string): string {
  const goes = model === 'offline' ? 'stays on this computer' : `is sent to ${model}`
  if (panel.kind !== 'call') return `Privacy note: the result ${goes}.`
  const { tool, pick, sends } = panel
  if (pick !== undefined) return `Privacy note: this tool reads your notes. The text you share ${goes}.`
  const does = tool.effects.includes('writes')
    ? 'changes your notes'
    : sends.length > 0
      ? 'sends the data shown above to another service'
      : 'reads your notes'
  return `Privacy note: this tool ${does}. The result ${goes}.`
}

/** Descriptions are written for models, at length. */
const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
