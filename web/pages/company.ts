import { getSite, type Site } from '@qatra/contract/site'
import { useQuery } from '@tanstack/react-query'
import { read } from '../app/call.ts'

/** Facts of the company; each null while it is not set, and then not shown. */
export const useSite = (): Site | undefined => useQuery(read(getSite)).data
