import { endpoints as shopEndpoints } from '@qatra/contract/api'
import { simulatorEndpoints } from '../../demo/simulators/simulators.ts'

/** All endpoints of an application under test. */
export const endpoints = [...shopEndpoints, ...simulatorEndpoints]
