import type { Message } from '@qatra/contract/whatsapp-message'
import { createContext, useContext } from 'react'

export interface Quoting {
  /** The message that the next reply quotes. */
  quoted: Message | null
  quote(message: Message | null): void
}

const QuotingContext = createContext<Quoting>({ quoted: null, quote: () => {} })
export const QuotingProvider = QuotingContext.Provider
export const useQuoting = () => useContext(QuotingContext)
