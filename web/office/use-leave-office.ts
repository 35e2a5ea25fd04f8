import { useQueryClient } from '@tanstack/react-query'
import { signOut } from '../app/session.ts'

/** Ends the session and goes to the shop, which is another document. */
export function useLeaveOffice() {
  const queries = useQueryClient()
  return async () => {
    // Without a connection there is no other document; the office says so, and leaves once the session has ended.
    if (await signOut(queries)) location.assign('/')
  }
}
