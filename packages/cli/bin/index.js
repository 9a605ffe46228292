import './node-version.js';

export * from '../lib/index.js';
