import { useEffect, useState } from 'preact/hooks'
import { count, visibleText } from '../../../core/text/index.js'
import { getJson } from './ask-server.js'
import type { Overview } from './overview.js'

/** Before the first question: where one is, what can be done, and what leaves the machine. */
export function Welcome({ overview, onAsk }: { overview: Overview; onAsk(text: string): void }) {
  const { vault, notes, freshness, model } = overview
  const [questions, setQuestions] = useState<string[]>([])
  useEffect(() => {
    getJson<{ questions: string[] }>('questions').then(
      (answer) => setQuestions(answer.questions),
      () => setQuestions([]),
    )
  }, [])
  return (
    <div class="page-welcome">
      <h2>{visibleText(vault).text}</h2>
      <p>
        {notes === 0 ? 'Your notes are being read.' : `${count(notes, 'note')}.`}
        {freshness !== 'fresh' && ` The index is ${freshness}; you can already ask.`}
      </p>
      <p>
        {model === 'offline'
          ? 'No language model is chosen: answers are found in your notes and quoted, and plain requests are carried out. Nothing leaves this machine.'
          : `Answers come from ${visibleText(model).text}. What you ask and what it reads of your notes is sent there.`}{' '}
        Nothing is changed without your yes, and every change can be taken back.
      </p>
      {questions.length > 0 && <p class="nw-remark">These notes can answer, for example:</p>}
      <ul>
        {questions.map((question) => (
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
