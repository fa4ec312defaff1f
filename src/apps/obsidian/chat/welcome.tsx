import { useEffect, useState } from 'preact/hooks'
import { welcomeQuestions } from '../../../core/session/index.js'
import { count, visibleText } from '../../../core/text/index.js'
import type { PluginVault } from '../../../hosts/obsidian/index.js'

/** Before the first question: what can be done, and what leaves the machine. */
export function Welcome({
  vault,
  model,
  seesNotes,
  onAsk,
}: {
  vault: PluginVault
  model: string
  /** Answers may come from the notes. */
  seesNotes: boolean
  onAsk: (text: string) => void
}) {
  const [questions, setQuestions] = useState<string[]>([])
  const [notes, setNotes] = useState<number | undefined>()
  useEffect(() => {
    let isLate = false
    const { vault: files } = vault.notebook
    const look = async () => {
      const found = await welcomeQuestions({ vault: files, read: (path) => files.read(path) })
      const listed = await files.files()
      if (isLate) return
      setQuestions(found)
      setNotes(listed.filter(({ path }) => path.endsWith('.md')).length)
    }
    look().catch(() => undefined)
    return () => {
      isLate = true
    }
  }, [vault])
  return (
    <div class="notewright-welcome">
      <p>
        {notes !== undefined && `${count(notes, 'note')}. `}
        {model === 'offline'
          ? 'No language model is chosen: answers are found in your notes and quoted, and plain requests are carried out. Nothing leaves this machine. Choose a model under Settings → Notewright.'
          : `Answers come from ${visibleText(model).text}. What you ask${seesNotes ? ' and what it reads of your notes' : ''} is sent there.`}{' '}
        Nothing is changed without your yes, and every change can be taken back.
      </p>
      {seesNotes && questions.length > 0 && <p class="nw-remark">These notes can answer, for example:</p>}
      <ul>
        {(seesNotes ? questions : []).map((question) => (
          <li key={question}>
            <button type="button" onClick={() => onAsk(question)}>
              {visibleText(question).text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
