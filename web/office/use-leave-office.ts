import { useQueryClient } from '@tanstack/react-query'
import { signOut } from '../app/session.ts'

/** Ends the session and goes to the shop, which is another document. */
export function useLeaveOffice() {
  const queries = useQueryClient()
  return async () => {
    await signOut(queries)
    location.assign('/')
  }
}
