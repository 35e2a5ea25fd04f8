import type { ReactNode } from 'react'
import { loadMessageGroups } from '../lib/language/messages.ts'
import { useChunk } from '../lib/use-chunk.ts'
import { useAnalyticsIds } from './ids.ts'

const loadGate = () =>
  Promise.all([import('./ConsentGate.tsx'), loadMessageGroups(['consent'])]).then(([module]) => module.ConsentGate)

/** The question for consent and the analytics behind it, in a chunk of their own: without configured ids nobody needs them. */
export function Analytics(): ReactNode {
  const ids = useAnalyticsIds()
  const ConsentGate = useChunk(loadGate, { need: ids !== null })
  return ids && ConsentGate && <ConsentGate ids={ids} />
}
