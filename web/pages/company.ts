import { getSite, type Site } from '@qatra/contract/settings/site'
import { useQuery } from '@tanstack/react-query'
import { read } from '../lib/api-client.ts'

/** Facts about the company; those not configured are null and not shown. */
export const useSite = (): Site | undefined => useQuery(read(getSite)).data
