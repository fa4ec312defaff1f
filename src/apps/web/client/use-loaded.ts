import { useCallback, useEffect, useState } from 'preact/hooks'
import { getJson } from './ask-server.js'

export interface Loaded<Answer> {
  answer: Answer | undefined
  /** Why it could not be had. */
  trouble: unknown
  /** Asks again; what is there stays until the new one is. */
  look(): Promise<void>
}

/** What the server answers at a path, asked for when it is first drawn. */
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
