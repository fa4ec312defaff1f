export { canvasChanges } from './canvas-changes.js'
export { type Canvas, readCanvas } from './read-canvas.js'
