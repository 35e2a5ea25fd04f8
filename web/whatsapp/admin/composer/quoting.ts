import type { Message } from '@qatra/contract/whatsapp/inbox/message'
import { createContext, useContext } from 'react'

export interface Quoting {
  /** The message that the next reply quotes. */
  quoted: Message | null
  /** Null: the person may not reply. */
  quote: ((message: Message | null) => void) | null
}

const QuotingContext = createContext<Quoting>({ quoted: null, quote: null })
export const QuotingProvider = QuotingContext.Provider
export const useQuoting = () => useContext(QuotingContext)
