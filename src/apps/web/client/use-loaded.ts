import { useCallback, useEffect, useState } from 'preact/hooks'
import { getJson } from './ask-server.js'

interface Loaded<Answer> {
  answer: Answer | undefined
  /** Error of the last request. */
  trouble: unknown
  /** Requests it again; the old value stays until the new one arrives. */
  look(): Promise<void>
}

/** Fetches a path of the API when first drawn. */
export function useLoaded<Answer>(path: string): Loaded<Answer> {
  const [answer, setAnswer] = useState<Answer | undefined>()
  const [trouble, setTrouble] = useState<unknown>()
  const look = useCallback(async () => {
    try {
      setAnswer(await getJson<Answer>(path))
      setTrouble(undefined)
    } catch (error) {
      setTrouble(error)
    }
  }, [path])
  useEffect(() => void look(), [look])
  return { answer, trouble, look }
}
