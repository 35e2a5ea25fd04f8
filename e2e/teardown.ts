import { rmSync } from 'node:fs'
import { folder } from './settings.ts'

// oxlint-disable-next-line import/no-default-export -- the runner asks for a default export
export default function teardown() {
  rmSync(folder, { recursive: true, force: true })
}
