import { test as base, expect } from '@playwright/test'
import type { Engine } from './engine.ts'
import { openFirefox } from './firefox.ts'
import { openScreen } from './screen.ts'
import { openWebKit } from './webkitgtk.ts'

export interface EngineOptions {
  engineName: 'firefox' | 'webkitgtk'
}

interface EngineFixtures {
  /** Opens a browser window of this size; it closes with the test. */
  launch(options: { width: number; height: number; blocksSiteData?: boolean }): Promise<Engine>
}

export const test = base.extend<EngineOptions & EngineFixtures>({
  engineName: ['firefox', { option: true }],
  launch: async ({ engineName }, use, info) => {
    const screen = await openScreen()
    const engines: Engine[] = []
    try {
      await use(async ({ blocksSiteData, ...size }) => {
        if (blocksSiteData && engineName !== 'firefox')
          throw new Error('WebKitGTK has no setting that blocks site data')
        const options = { ...size, blocksSiteData: blocksSiteData ?? false }
        const engine = await (engineName === 'firefox' ? openFirefox(screen, options) : openWebKit(screen, size))
        engines.push(engine)
        return engine
      })
      if (info.status !== info.expectedStatus) {
        const file = info.outputPath('screen.png')
        await screen.picture(file).then(
          () => info.attach('screen', { path: file }),
          (error: unknown) => console.error('No picture of the screen', error),
        )
      }
      for (const engine of engines) expect(engine.errors(), 'errors that the pages wrote').toEqual([])
    } finally {
      for (const engine of engines) await engine.close()
      await screen.close()
    }
  },
})

export { expect }
