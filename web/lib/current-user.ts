import { getMe, type User } from '@qatra/contract/users/auth'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { read } from './api-client.ts'

/** Null for a visitor. Fresh for five minutes, never retried. */
export const currentUser = () => ({ ...read(getMe), staleTime: 5 * 60_000 })

// The default queryFn answers a 401 of this one call with null, which its contract does not know.
const orNull = (user: User | undefined) => (user ?? null) as User | null

export const useUser = (): User | null => orNull(useQuery(currentUser()).data)

export const findUser = async (queries: QueryClient) => orNull(await queries.ensureQueryData(currentUser()))
