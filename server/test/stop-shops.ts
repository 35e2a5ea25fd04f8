import { afterAll } from 'vitest'
import { stopShops } from './app.ts'

afterAll(stopShops)
