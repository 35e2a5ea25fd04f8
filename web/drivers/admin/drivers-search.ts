import { listDriverDays } from '@qatra/contract/driver-board'
import { read } from '../../lib/api-client.ts'
import { dayIn, idIn, oneOf } from '../../lib/search-state.ts'

export const driversShape = { date: dayIn, driver: idIn, view: oneOf(['list']) }
export const driverDaysQuery = (date: string | undefined) => read(listDriverDays, { query: date ? { date } : {} })
