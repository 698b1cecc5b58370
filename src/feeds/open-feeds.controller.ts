import { Controller } from '@nestjs/common';
import { Public } from '../platform/http/access/access.decorator.js';
import { FeedsController } from './feeds.controller.js';

/**
 * The routes of FeedsController without an API key, for `PUBLIC_FEEDS=on`: a feed reader sends no
 * key.
 */
@Public({ apiKey: false })
@Controller()
export class OpenFeedsController extends FeedsController {}
