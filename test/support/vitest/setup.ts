import { afterAll } from 'vitest';
import { cleanUp } from '../clean-up.js';

// Vitest runs this file before each test file.
afterAll(cleanUp, 120_000);
