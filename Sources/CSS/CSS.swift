import DOM
