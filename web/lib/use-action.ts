import { useState } from 'react'
import { CallError } from './api-client.ts'

/**
 * Runs calls of a button: busy state, and the text for a refused call. `problemOf` returns nothing if it has
 * reported the refusal itself, by a toast. Other errors are thrown.
 */
export function useAction(problemOf: (error: CallError) => string | void) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  /** Resolves after a refusal too. */
  async function run(work: () => Promise<unknown>) {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(problemOf(error) || null)
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, setProblem, run }
}
