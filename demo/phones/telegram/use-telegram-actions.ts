import { useState } from 'react'
import { CallError, call } from '../../../web/lib/api-client.ts'
import { useT } from '../../../web/lib/language/i18n.tsx'
import { changeSimulatedTopic, writeSimulatedTelegram } from '../../contract/telegram.ts'

interface Where {
  phone: string
  /** Null is the chat with the bot. */
  threadId: number | null
  onChange(): void
}

export interface TelegramActions {
  error: string | null
  setError: (error: string | null) => void
  /** Resolves to false if sending failed; the text is then kept. */
  write: (text: string) => Promise<boolean>
  change: (action: 'close' | 'reopen' | 'delete') => Promise<boolean>
}

/** Actions of the account in a chat. */
export function useTelegramActions({ phone: from, threadId, onChange }: Where): TelegramActions {
  const t = useT()
  const [error, setError] = useState<string | null>(null)
  async function attempt(work: () => Promise<unknown>, problem: 'simulator.notSent' | 'simulator.telegram.notChanged') {
    setError(null)
    try {
      await work()
      return true
    } catch (refused) {
      if (!(refused instanceof CallError)) throw refused
      setError(t(problem))
      return false
    } finally {
      onChange()
    }
  }
  return {
    error,
    setError,
    write: (text) =>
      attempt(
        () => call(writeSimulatedTelegram, { body: { from, text, ...(threadId === null ? {} : { threadId }) } }),
        'simulator.notSent',
      ),
    change: (what) =>
      attempt(
        () => call(changeSimulatedTopic, { params: { id: String(threadId) }, body: { from, act: what } }),
        'simulator.telegram.notChanged',
      ),
  }
}
