import { useUser } from '../../lib/current-user.ts'
import { useChunk } from '../../lib/use-chunk.ts'

type AccountParts = Pick<typeof import('./AccountMenu.tsx'), 'AccountMenu' | 'WorkLink'>
let loaded: AccountParts | null = null

/** Loads the parts of the header for signed-in people, who are few among first visits. */
export async function loadAccountParts(): Promise<AccountParts> {
  const { AccountMenu, WorkLink } = await import('./AccountMenu.tsx')
  loaded = { AccountMenu, WorkLink }
  return loaded
}

/** Null for visitors, and until the parts are loaded. */
export const useAccountParts = () => useChunk(loadAccountParts, { need: useUser(), loaded })
